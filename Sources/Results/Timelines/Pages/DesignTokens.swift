/// The colours, fonts and spacing of all pages and pictures, as CSS variables for light and dark
/// mode.
///
/// Text has a contrast of at least 4.5:1 with its background. Lines that have a meaning have a
/// contrast of at least 3:1.
package enum DesignTokens {
  package static let style = """
    :root{\(light)\(shared)}
    @media(prefers-color-scheme:dark){:root{\(dark)}}
    """

  private static let shared = """
    --mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;
    --sans:system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif;
    --small:12px;--text:14px;--large:16px;--huge:22px;
    --gap-1:4px;--gap-2:8px;--gap-3:12px;--gap-4:18px;--gap-5:28px;--round:8px;
    """

  /// `rule` and `bar` only divide and fill, whereas `line` is for lines that have a meaning. The
  /// `wash` of a lane is the background of its steps.
  private static let light = """
    --ground:#fff;--box:#f5f7f9;--bar:#e8eef6;--ink:#1b1f24;--faint:#59626c;--rule:#d5dae0;
    --line:#7f8892;--save:#1560bd;--merge:#7430b8;--hop:#6f7780;--wait:#8a5700;--bad:#b3261e;
    --badbox:#fdeceb;--onbad:#fff;--good:#17692f;--goodbox:#e9f6ec;--pick:#ffeebb;--focus:#1560bd;
    --lane-0:#14737f;--lane-1:#96600a;--lane-2:#7c4dc4;--lane-3:#2f7a34;--lane-4:#b0386c;
    --lane-5:#4b6473;
    --wash-0:#eaf2f3;--wash-1:#f6f1e9;--wash-2:#f3effa;--wash-3:#ecf3ed;--wash-4:#f8edf2;
    --wash-5:#eff1f2;
    """

  private static let dark = """
    --ground:#15181c;--box:#21262c;--bar:#1c2834;--ink:#e8ebee;--faint:#a3acb5;--rule:#39414a;
    --line:#78828c;--save:#74b2ff;--merge:#c9a2ff;--hop:#959da6;--wait:#e3ae55;--bad:#ff8c82;
    --badbox:#3a1f1f;--onbad:#2a0806;--good:#7fd08f;--goodbox:#1a3021;--pick:#463a0c;
    --focus:#8ec1ff;
    --lane-0:#5cc4d1;--lane-1:#e0b063;--lane-2:#c0a0f5;--lane-3:#86cf8b;--lane-4:#f092bb;
    --lane-5:#a9bfcc;
    --wash-0:#1b272c;--wash-1:#272622;--wash-2:#242430;--wash-3:#1f2826;--wash-4:#29232a;
    --wash-5:#22272c;
    """
}
