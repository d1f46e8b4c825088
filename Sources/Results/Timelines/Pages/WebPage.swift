/// The frame of every page. Pages are self-contained, have a light and a dark mode, and suit
/// desktops and phones.
package struct WebPage {
  /// The title, as plain text.
  let title: String
  /// CSS in addition to the style that all pages share.
  let style: String
  /// The contents, as HTML.
  let body: String
  /// JavaScript in addition to the script that all pages share.
  let script: String

  package init(title: String, style: String = "", body: String, script: String = "") {
    self.title = title
    self.style = style
    self.body = body
    self.script = script
  }

  package var html: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(escaped(title)) – Faultline</title>
    <style>
    \(DesignTokens.style)
    \(PictureStyle.style)
    \(WebPage.style)
    \(style)
    </style>
    <noscript><style>.scripted,.copy{display:none!important}
    button{pointer-events:none;border-color:transparent!important}</style></noscript>
    </head>
    <body>
    \(body)
    <script>
    "use strict";
    \(WebPage.script)
    \(script)
    </script>
    </body>
    </html>

    """
  }

  /// Returns a command with a button that copies it.
  package static func command(_ line: String) -> String {
    "<p class=\"command\"><code>\(escaped(line))</code> "
      + "<button type=\"button\" class=\"copy\">Copy</button></p>"
  }

  private static let style = """
    *{box-sizing:border-box}
    body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.45 var(--sans);
    overflow-wrap:break-word}
    a{color:var(--save)}:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
    header,main,footer,.crumbs{padding:0 var(--gap-4)}main{padding-bottom:var(--gap-4)}
    footer{padding-bottom:40px}
    header{padding-top:var(--gap-3)}header p{max-width:90em;font-size:var(--text)}
    .crumbs{padding-top:var(--gap-3);font-size:13px}
    h1{font-size:var(--huge);line-height:1.25;margin:0 0 6px}
    h2{font-size:17px;margin:var(--gap-5) 0 var(--gap-2)}
    h3{font-size:var(--text);margin:var(--gap-3) 0 var(--gap-1)}
    p{margin:var(--gap-1) 0}.fine{color:var(--faint)}.bad{color:var(--bad)}.good{color:var(--good)}
    code,pre,.mono{font-family:var(--mono);font-size:var(--small)}
    pre{margin:var(--gap-1) 0;white-space:pre-wrap}
    button,input{font:inherit;font-size:var(--text);padding:5px 12px;border:1px solid var(--line);
    border-radius:6px;background:var(--box);color:var(--ink)}button{cursor:pointer}
    button:disabled{color:var(--faint);border-color:var(--rule);cursor:default}
    button[aria-pressed=true]{background:var(--ink);color:var(--ground)}
    table{border-collapse:collapse;font-size:var(--small);width:100%}
    th,td{border:1px solid var(--rule);padding:4px 8px;text-align:left;vertical-align:top}
    th{background:var(--box);font-weight:600;overflow-wrap:normal;word-break:normal}
    td{overflow-wrap:anywhere}.wide{overflow-x:auto}
    summary{cursor:pointer;font-weight:600;padding:3px 0}
    .command{display:flex;flex-wrap:wrap;gap:var(--gap-2);align-items:center;margin:var(--gap-2) 0}
    .command code{background:var(--box);border:1px solid var(--rule);border-radius:6px;
    padding:5px 9px;
    overflow-wrap:anywhere}.copy{padding:3px 9px;font-size:13px}
    """

  private static let script = #"""
    async function copy(button) {
      const line = button.parentElement.querySelector("code");
      try {
        await navigator.clipboard.writeText(line.textContent);
        button.textContent = "Copied";
      } catch {
        // A page from a file may not; then it can be copied by hand.
        getSelection().selectAllChildren(line);
        button.textContent = "Selected";
      }
    }
    document.querySelectorAll(".copy").forEach(
      button => button.addEventListener("click", () => copy(button)));
    """#
}
