/// The style of a run on a page.
enum RunStyle {
  static let style = report + stack + stage + list + inspector + states

  private static let report = """
    .run{display:grid;grid-template:"verdict side" auto "stage side" 1fr/minmax(0,1fr) 340px;
    gap:0 var(--gap-4);margin-top:var(--gap-2)}
    .verdict{grid-area:verdict}.work{display:contents}.stage{grid-area:stage}.side{grid-area:side}
    .run>.under{grid-column:1/3}
    .verdict{border-left:5px solid var(--bad);background:var(--badbox);
    padding:var(--gap-2) var(--gap-4);
    border-radius:0 var(--round) var(--round) 0}
    .verdict.fine-run{border-color:var(--good);background:var(--goodbox);align-self:start}
    .verdict .fine{color:var(--ink)}
    .kind{font-size:19px;margin:var(--gap-1) 0}.kind .fine{font-size:var(--text)}
    .kind .sign{color:var(--bad);font-weight:700}.fine-run .sign{color:var(--good)}
    .place{font-weight:400;padding:1px 9px;background:none}
    .evidence{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,310px),1fr));
    gap:0 var(--gap-4);margin-top:var(--gap-2)}.evidence h3{margin-top:0}
    .evidence .facts div{display:block}.evidence :is(dt,dd){display:inline}
    .evidence dt::after{content:" "}.evidence dt{margin-right:.3em}
    .side .command{flex-wrap:nowrap;align-items:start}
    .sentence{max-width:60em}
    .proof-lines{list-style:none;padding:0;margin:0;counter-reset:proof}
    .proof-lines li{counter-increment:proof;display:flex;gap:var(--gap-2);align-items:baseline;
    margin:1px 0}
    .proof-lines li::before{content:counter(proof);flex:none;min-width:19px;height:19px;
    border-radius:10px;
    background:var(--bad);color:var(--onbad);font:700 11px/19px var(--mono);text-align:center}
    .proof-lines .unplaced::before{background:none;color:var(--bad);
    box-shadow:inset 0 0 0 1px var(--bad)}
    .proof-lines button,.proof-lines span{font:var(--small) var(--mono);text-align:left}
    .proof-lines button{border:0;background:none;padding:2px 4px;border-radius:4px;
    overflow-wrap:anywhere}
    .proof-lines button:hover{background:var(--pick)}.proof-lines .at{display:inline-block;
    min-width:4.6em}
    .proof-lines .unplaced span{padding:2px 4px}
    .proof-lines :is(button,.unplaced>span){display:flex;gap:.6em}.proof-lines .at{flex:none}
    .facts{margin:0 0 var(--gap-1);font-size:var(--text)}.facts div{display:flex;gap:var(--gap-2);margin:2px 0}
    .facts dt{flex:none;min-width:5.5em;font-weight:600}.facts dd{margin:0;overflow-wrap:anywhere}
    .others{margin-top:var(--gap-2)}.other{border-top:1px solid var(--rule);padding:var(--gap-1) 0}
    .other button[data-show]{padding:1px 8px;font-size:13px}
    """

  private static let stack = """
    .stack h3{margin-top:0}.tree,.tree ul{list-style:none;margin:0;padding:0}
    .tree ul{padding-left:20px}.tree ul>li{position:relative;padding-top:6px}
    .tree ul>li::before{content:"";position:absolute;left:-11px;top:0;width:11px;height:20px;
    border-left:1.5px solid var(--line);border-bottom:1.5px solid var(--line);
    border-radius:0 0 0 5px}
    .tree ul>li:not(:last-child)::after{content:"";position:absolute;left:-11px;top:0;bottom:0;
    border-left:1.5px solid var(--line)}
    .node{display:inline-block;border:1px solid var(--line);
    border-left:4px solid var(--tint,var(--line));
    border-radius:6px;padding:3px 9px;background:var(--box);font-size:13px}
    .node.coordinator{border-left-width:1px;background:none}
    .node.failing{border-color:var(--bad);background:var(--badbox)}
    .node.failing .fine{color:var(--ink)}
    .node .mark{color:var(--bad);font-weight:600;white-space:nowrap}
    .chip{display:inline-block;border:1px solid var(--rule);border-radius:9px;padding:0 7px;
    font-size:var(--small);background:var(--ground)}
    """

  private static let stage = """
    .toolbar{display:flex;flex-wrap:wrap;gap:var(--gap-2) var(--gap-3);align-items:center;
    margin:var(--gap-2) 0 0}
    .choice{display:inline-flex}.choice button{border-radius:0;margin-left:-1px;padding:5px 10px}
    .choice button:first-child{border-radius:6px 0 0 6px;margin-left:0}
    .choice button:last-child{border-radius:0 6px 6px 0}
    .find{width:13em}.legend i{display:inline-block;width:18px;border-top:3px solid;
    margin:0 4px 3px 8px}
    .legend{font-size:var(--small)}.legend .save{color:var(--save)}
    .legend .merge{color:var(--merge)}
    .legend .hop{color:var(--hop);border-top-style:dashed}
    .legend .cycle{color:var(--bad)}.legend b{display:inline-block;min-width:17px;height:17px;
    margin:0 4px 0 8px;border-radius:9px;background:var(--bad);color:var(--onbad);
    font:600 11px/17px var(--sans);text-align:center}
    .stage{min-width:0}.heads-frame{position:sticky;top:0;z-index:2;overflow:hidden;
    background:var(--ground);border-bottom:1px solid var(--rule)}
    .frame{overflow-x:auto;overflow-y:hidden}.frame.long{max-height:85vh;overflow-y:auto}
    .heads-frame svg,.frame svg{display:block}
    .moment{cursor:pointer;outline:none}
    .moment.picked rect{stroke:var(--ink)!important;stroke-width:2.8!important}
    .moment.picked:not(.violated) rect{fill:var(--pick)!important}
    .moment.picked text{fill:var(--ink)!important}
    .moment:focus-visible rect{stroke:var(--focus)!important;stroke-width:4.5!important}
    .moment.found rect{stroke:var(--wait)!important;stroke-width:2.4;stroke-dasharray:none}
    .under{margin-top:var(--gap-4)}
    """

  private static let list = """
    .list{display:none;list-style:none;margin:0;padding:0}
    .list button{display:grid;grid-template-columns:2em minmax(0,1fr) auto;gap:0 6px;width:100%;
    text-align:left;border:0;border-left:5px solid var(--tint);border-radius:0;padding:6px 8px;
    background:var(--wash);margin-bottom:2px}
    .run :is(button,input,summary),.moment{scroll-margin:12px 0 calc(var(--covered,0px) + 12px)}
    .list .number{color:var(--faint);font:var(--small)/1.6 var(--mono);text-align:right}
    .list .lane-name{color:var(--tint);font:600 var(--small)/1.6 var(--mono);overflow-wrap:anywhere}
    .list .text,.list .note{grid-column:2/4;font:13px/1.4 var(--mono);overflow-wrap:anywhere}
    .list :is(.text,.note){padding-left:1.5em;text-indent:-1.5em}
    .list .note{font-size:var(--small)}.note.save{color:var(--save)}.note.merge{color:var(--merge)}
    .note.cycle,.note.kind{color:var(--bad);font-weight:600}
    .list .badges i{display:inline-block;min-width:19px;border-radius:10px;background:var(--bad);
    color:var(--onbad);font:700 11px/19px var(--mono);text-align:center;margin-left:3px}
    .list .wait .text,.list .call .text{font-style:italic}
    .list .violated button{background:var(--badbox)}
    .list:not(.focus) .badges{visibility:hidden}
    .list.focus li:not(.proof) button{background:none}
    .list.focus li:not(.proof) .text{color:var(--faint)}
    .list.focus li.proof .text{font-weight:600}
    .list .picked:not(.violated) button{background:var(--pick)!important}
    .list .picked button{box-shadow:inset 0 0 0 2px var(--ink)}
    .list .found button{box-shadow:inset 0 0 0 2px var(--wait)}
    .list .parts{color:var(--wait);font-weight:600;font-size:13px;border-top:2px dashed var(--wait);
    padding:4px 0}
    """

  private static let inspector = """
    .inspector{position:sticky;top:0;max-height:100vh;overflow:auto;padding:var(--gap-2) 2px;
    font-size:var(--text)}
    .moves{display:flex;flex-wrap:wrap;gap:var(--gap-2);align-items:center}
    .what{font-size:var(--text)!important;font-weight:600;margin-top:var(--gap-2);
    overflow-wrap:anywhere}
    .inspector ul{padding-left:18px;margin:var(--gap-1) 0}.carried{list-style:"→ "}
    .inspector caption{text-align:left;font-weight:600;padding:var(--gap-2) 0 3px;font-size:13px}
    .changes td{font-family:var(--mono)}.changes td:not(:last-child){white-space:nowrap}
    .changes .old{color:var(--faint);text-decoration:line-through}.changes .new{font-weight:600}
    .places{width:max-content;min-width:100%}
    .places td{font-family:var(--mono);overflow-wrap:break-word;max-width:18em}
    .places .differs{background:var(--pick)}
    .places .object th{background:var(--bar)}.places tbody th{font-weight:400;
    font-family:var(--mono)}
    @media(min-width:1100px){.unfold{display:none}}
    @media(max-width:1099px){.run{display:block}.side{display:contents}
    .work{display:flex;flex-direction:column}
    .stack h3{margin-top:var(--gap-3)}
    .inspector{top:auto;bottom:0;z-index:3;max-height:45vh;background:var(--ground);
    border-top:2px solid var(--line);padding:var(--gap-2) 0}.unfold{margin-left:auto}
    .inspector:not(.open) :is(.when,.carried,.changes,.instead,.events,.after,.state){display:none}}
    @media(max-width:600px){.picture,.zoom,.legend{display:none!important}.list{display:block;margin-top:var(--gap-2)}
    .find{flex:1;min-width:9em}.kind{font-size:17px}.verdict{padding:var(--gap-2) var(--gap-3)}
    h1{font-size:19px}.facts div{display:block}.moves button{padding:5px 9px}}
    @media print{.inspector,.toolbar,.command button{display:none}.run{display:block}}
    """

  /// The state after a step, and the decisions of the scheduler.
  private static let states = """
    .slider{flex:1 1 100%;min-width:0;padding:0;margin:2px 0;accent-color:var(--focus)}
    .inspector h4{font-size:13px;margin:var(--gap-2) 0 2px}
    .inspector h4 .fine{font-weight:400;margin-left:.6em}
    .now{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,250px),1fr));
    gap:0 var(--gap-4)}
    .place{border-top:1px solid var(--rule)}.place p{font-size:var(--small)}
    .place td{font-family:var(--mono);border:0;padding:2px 8px}
    .place th{font:var(--small) var(--mono);border:0;background:none;padding:2px 8px 2px 18px;
    width:1%;white-space:nowrap}
    .place .object th{font-weight:700;padding-left:4px}
    .place .object :is(th,td){background:var(--box)}
    .place .changed :is(th,td){background:var(--pick)}
    .tag{display:inline-block;font:600 11px/15px var(--sans);padding:0 6px;border-radius:8px;
    background:var(--ground);color:var(--ink);border:1px solid var(--line)}
    .tag.unsaved{color:var(--wait);border-color:var(--wait)}
    .decisions ol,.decisions ul,.instead ul{list-style:none;padding:0;margin:0}
    .decisions ol>li{border-top:1px solid var(--rule);padding:var(--gap-1) 0}
    .decisions li ul{padding-left:1.5em}.decisions ol button{padding:1px 9px;font-size:13px}
    .decisions li,.instead li{overflow-wrap:anywhere}
    :is(.decisions,.instead) code{overflow-wrap:anywhere}
    :is(.decisions,.instead) b{white-space:normal}
    .all-states ol{padding:0;margin:0;list-style:none;font:var(--small)/1.5 var(--mono)}
    .all-states details{border-top:1px solid var(--rule)}
    .all-states li summary{font:var(--small)/1.5 var(--mono)}
    .all-states ul{list-style:none;padding-left:1.5em;margin:0 0 var(--gap-1);
    font:var(--small)/1.5 var(--mono);overflow-wrap:anywhere}
    .all-states mark{background:var(--pick);color:var(--ink)}
    """
}
