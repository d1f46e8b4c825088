extension CampaignPage {
  static let style = """

    .columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,320px),1fr));
    gap:18px}
    .number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
    .bar{display:block;height:3px;background:var(--save);margin:2px 0 0 auto}
    .none td{color:var(--bad)}.counts{max-height:340px;overflow:auto}
    details.failure{border:1px solid var(--rule);border-radius:var(--round);padding:6px 12px;
    margin:10px 0}
    details.failure[open]{padding-bottom:12px}
    details.failure>summary{font-size:16px}summary .fine{font-weight:400;font-size:var(--text)}
    .curve .line{fill:none;stroke:var(--save);stroke-width:1.6}.curve text{font-size:11px;
    fill:var(--faint)}
    .curve .axis{stroke:var(--rule)}#violations tbody tr{cursor:pointer}
    .sort{border:0;background:none;padding:0;font-weight:600;font-size:var(--small)}
    @media(min-width:1001px){#violations td:first-child{white-space:nowrap}}
    @media(max-width:1000px){#violations thead,#violations .bar{display:none}
    #violations tr{display:grid;grid-template-columns:auto 1fr auto;gap:0 12px;
    border-bottom:1px solid var(--rule);padding:6px 2px}#violations td{border:0;padding:1px 0;
    text-align:left}
    #violations .of-kind{grid-area:1/1/2/3;font-size:var(--text)}
    #violations .of-standing{grid-area:1/3;text-align:right}
    #violations .of-cause{grid-area:2/1/3/4}#violations .of-first{display:none}
    #violations .of-group{grid-area:3/3}
    #violations td.number::before{content:attr(data-label) " ";color:var(--faint)}
    details.failure{padding:6px 8px}}
    """

  static let script = #"""

    function openFailure(id) {
      const part = document.getElementById(id);
      if (!part || part.tagName !== "DETAILS") return;
      part.open = true;
      part.scrollIntoView({ block: "start" });
      part.querySelector("summary").focus({ preventScroll: true });
    }
    document.querySelectorAll("[data-open]").forEach(row => row.addEventListener("click", event => {
      event.preventDefault();
      openFailure("failure-" + row.dataset.open);
    }));
    addEventListener("hashchange", () => openFailure(location.hash.slice(1)));
    openFailure(location.hash.slice(1));
    const example = location.hash.match(/^#example-(\d+)-/);
    if (example) openFailure("failure-" + example[1]);
    document.querySelectorAll("#violations th").forEach((head, column) => {
      head.querySelector("button").addEventListener("click", () => {
        const body = document.querySelector("#violations tbody");
        const text = row => row.children[column].textContent.replaceAll(",", "");
        const isNumber = [...body.rows].every(row => !isNaN(parseFloat(text(row))));
        const isDown = head.getAttribute("aria-sort") !== "descending";
        document.querySelectorAll("#violations th").forEach(th => th.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
        const sign = isDown === isNumber ? -1 : 1;
        const rows = [...body.rows].sort((a, b) => sign * (isNumber
          ? parseFloat(text(a)) - parseFloat(text(b)) : text(a).localeCompare(text(b))));
        body.replaceChildren(...rows);
      });
    });
    """#
}
