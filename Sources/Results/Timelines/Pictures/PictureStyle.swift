/// The style of pictures, in pages and as separate files.
enum PictureStyle {
  static let style = """
    svg{font:12px var(--mono)}svg text{fill:var(--ink)}.ground{fill:var(--ground)}
    svg.definitions{position:absolute}
    .head{font-size:13px;font-weight:600;text-anchor:middle}
    .sub{fill:var(--faint)!important;text-anchor:middle;font-size:11px}
    .step{fill:var(--faint)!important;text-anchor:end;font-size:11px}
    .lane{stroke:var(--line);stroke-width:.8}.block{fill:var(--bar);stroke:none}.tint{fill:var(--tint)}
    .moment rect{fill:var(--box);stroke:var(--line)}
    .call rect{fill:none;stroke:none}.call text:last-child{fill:var(--faint);font-style:italic}
    .reaction rect{stroke-dasharray:4 3}
    .wait rect{fill:var(--ground);stroke:var(--wait);stroke-dasharray:2 3}
    .wait text:last-child{fill:var(--wait)}.failed rect{stroke:var(--bad)}
    .violated rect,.deadlock rect{fill:var(--badbox);stroke:var(--bad);stroke-width:1.8}
    .rim{fill:none;stroke:var(--ground);stroke-width:5}.arrow{fill:none;stroke-width:1.6}
    .arrow.save{stroke:var(--save)}.arrow.merge{stroke:var(--merge)}
    .arrow.hop{stroke:var(--hop);stroke-dasharray:4 3}.arrow.cycle{stroke:var(--bad);
    stroke-width:2.2}
    .arrow.hold{stroke-width:4}
    marker.save path{fill:var(--save)}marker.merge path{fill:var(--merge)}
    marker.hop path{fill:var(--hop)}marker.cycle path{fill:var(--bad)}
    svg .label{font-size:11px;paint-order:stroke;stroke:var(--ground);stroke-width:4px;
    stroke-linejoin:round}.leftwards{text-anchor:end}
    svg .label.save{fill:var(--save)}svg .label.merge{fill:var(--merge)}
    svg .label.cycle{fill:var(--bad);font-weight:600}
    .carries,.marks,.arrow,.rim{pointer-events:none}
    .marks{display:none}.focus .marks.shown{display:inline}
    circle.badge{fill:var(--bad)}
    svg text.badge{fill:var(--onbad);font-size:11px;font-weight:700;text-anchor:middle}
    .focus .moment.proof rect{stroke:var(--bad);stroke-width:1.8}
    .focus .moment.proof text:last-child{font-weight:600}
    .focus .moment:not(.proof) rect{fill:var(--ground);stroke:var(--rule)}
    .focus .moment:not(.proof) text{fill:var(--faint)}
    .focus .carries:not(.proof) path,.focus .arrow.hop{opacity:.4}
    .focus .carries:not(.proof) .label{fill:var(--faint)}
    .parting line{stroke:var(--wait);stroke-width:2;stroke-dasharray:7 4}
    svg .parting text{fill:var(--wait);font-size:11px;font-weight:600;
    paint-order:stroke;stroke:var(--ground);stroke-width:4px}
    \((0..<6).map { ".lane-\($0){--tint:var(--lane-\($0));--wash:var(--wash-\($0))}" }.joined())
    """
}
