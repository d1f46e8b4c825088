/// The script for the tables beside a picture, which show the changes of a step and the state after
/// it.
enum RunStateScript {
  /// Derives the state of every place after a moment from the changes up to that moment.
  static let script = #"""
    function element(name, text, kind) {
      const made = document.createElement(name);
      if (text !== undefined) made.textContent = text;
      if (kind) made.className = kind;
      return made;
    }

    function tableRow(head, cells, scope = "row") {
      const tr = element("tr");
      const th = element("th", head);
      th.scope = scope;
      tr.append(th, ...cells);
      return tr;
    }

    function looksAt(data, moment) {
      const looks = data.places.map(() => new Map());
      for (let i = 0; i <= moment; i++) {
        for (const [place, object, ...look] of data.moments[i].changes) {
          if (look.length) looks[place].set(object, look);
          else looks[place].delete(object);
        }
      }
      return looks;
    }

    // A row for each attribute that the moment changes, the old value and the new one.
    function changeRows(data, moment) {
      const before = looksAt(data, moment - 1);
      return data.moments[moment].changes.flatMap(([place, object, ...look]) => {
        const old = before[place].get(object);
        const [state, version, values] = look.length ? look : ["gone", 0, []];
        const pairs = [];
        const isNew = !old || old[0] === "fault";
        if ((old ? old[0] : "") !== state) pairs.push(["", old ? old[0] : "", state]);
        if (look.length && old && old[1] !== version) pairs.push(["version", old[1], version]);
        for (const [name, value] of values) {
          const was = old?.[2].find(([other]) => other === name)?.[1];
          if (was !== value && !(isNew && (value === "nil" || value === "[]"))) {
            pairs.push(["." + name, was ?? "", value]);
          }
        }
        return pairs.map(([name, was, now]) => {
          const cell = element("td");
          if (was !== "") cell.append(element("span", was, "old"), " → ");
          cell.append(element("span", now === "" ? "unchanged" : now, "new"));
          const space = name && !name.startsWith(".") ? " " : "";
          const subject = data.objects[object] + space + name;
          const tr = element("tr");
          tr.append(element("td", data.places[place]), element("td", subject), cell);
          return tr;
        });
      });
    }

    // By object: its state and version, then a row for each attribute, a column for each place.
    function stateRows(data, looks) {
      return data.objects.flatMap((name, object) => {
        const all = looks.map(place => place.get(object));
        if (!all.some(Boolean)) return [];
        const heading = tableRow(name, all.map(look => element("td", !look ? "" : [
          look[0], look[1] ? "version " + look[1] : ""].filter(Boolean).join(", "))));
        heading.className = "object";
        const names = [...new Set(all.flatMap(look => look ? look[2].map(([name]) => name) : []))];
        return [heading, ...names.map(name => {
          const values = all.map(look => look?.[2].find(([other]) => other === name)?.[1]);
          const known = new Set(values.filter(value => value !== undefined));
          return tableRow(name, values.map(value =>
            element("td", value ?? "", known.size > 1 && value !== undefined ? "differs" : "")));
        })];
      });
    }

    """#
}
