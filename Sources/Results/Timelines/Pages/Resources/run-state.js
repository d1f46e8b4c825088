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

// A change has the changed values only. Null means that the object has no values.
function looksAt(data, moment) {
  const looks = data.places.map(() => new Map());
  const changes = [
    ...data.start, ...data.moments.slice(0, moment + 1).flatMap(({ changes }) => changes)
  ];
  for (const [place, object, state, version, values, unsaved] of changes) {
    if (state === undefined) {
      looks[place].delete(object);
      continue;
    }
    const old = values && looks[place].get(object);
    looks[place].set(object, {
      state, version, values: new Map([...(old ? old.values : []), ...(values ?? [])]),
      unsaved: new Set(unsaved ?? [])
    });
  }
  return looks;
}

const objectLimit = 40;

function placeCards(data, moment, looks) {
  const before = looksAt(data, moment - 1);
  const changed = new Set(data.moments[moment].changes.map(
    ([place, object]) => place + "." + object));
  return data.places.map((name, place) => {
    const isContext = place < data.contextCount;
    const isChanged = object => changed.has(place + "." + object);
    const objects = data.objects.map((_, object) => object).filter(object =>
      looks[place].has(object) || isChanged(object) && before[place].has(object));
    const shown = objects.filter((object, index) => index < objectLimit || isChanged(object));
    const card = element("section", undefined, "place");
    const looksHere = [...looks[place].values()];
    const hasUnsaved = isContext && looksHere.some(look => look.state && look.state !== "fault");
    card.append(element("h4", name));
    card.firstChild.append(element("span", !isContext ? "" : hasUnsaved
      ? "unsaved changes" : looksHere.length ? "no unsaved changes" : "", "fine"));
    const table = element("table");
    table.append(...shown.flatMap(object => objectRows(
      data.objects[object], before[place].get(object), looks[place].get(object),
      isChanged(object))));
    if (!objects.length) card.append(element("p", isContext ? "no objects" : "no rows", "fine"));
    else card.append(table);
    const rest = objects.length - shown.length;
    if (rest) card.append(element("p", rest + " more, which this step does not change", "fine"));
    return card;
  });
}

function objectRows(name, old, look, isChanged) {
  const heading = element("tr", undefined, isChanged ? "object changed" : "object");
  const th = element("th", name);
  th.scope = "row";
  const state = element("td", !look ? "" : [
    look.state, look.version ? "version " + look.version
      : look.state === "inserted" ? "no row yet" : ""
  ].filter(Boolean).join(", "));
  if (isChanged) state.append(" ", element("span", !look ? "gone" : old ? "changed" : "new", "tag"));
  heading.append(th, state);
  return [heading, ...[...(look?.values ?? [])].map(([property, value]) => {
    const isNewValue = isChanged && old && old.values.get(property) !== value;
    const tr = element("tr", undefined, isNewValue ? "changed" : "");
    const head = element("th", property);
    head.scope = "row";
    const cell = element("td", value);
    if (look.unsaved.has(property)) cell.append(" ", element("span", "unsaved", "tag unsaved"));
    tr.append(head, cell);
    return tr;
  })];
}

// A row for each attribute that the moment changes, the old value and the new one.
function changeRows(data, moment) {
  const before = looksAt(data, moment - 1);
  const after = looksAt(data, moment);
  const seen = new Set();
  return data.moments[moment].changes.flatMap(([place, object]) => {
    if (seen.has(place + "." + object)) return [];
    seen.add(place + "." + object);
    const old = before[place].get(object);
    const now = after[place].get(object);
    if (!old && !now) return [];
    const pairs = [];
    const state = now ? now.state : "gone";
    const isNew = !old || old.state === "fault";
    if ((old ? old.state : "") !== state) pairs.push(["", old ? old.state : "", state]);
    const isFault = state === "fault" || old?.state === "fault";
  if (now && old && !isFault && old.version !== now.version) {
      pairs.push(["version", old.version, now.version]);
    }
    for (const [name, value] of now ? now.values : []) {
      const was = old?.values.get(name);
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
      const head = element("th", subject);
      head.scope = "row";
      tr.append(element("td", data.places[place]), head, cell);
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
      look.state, look.version ? "version " + look.version : ""
    ].filter(Boolean).join(", "))));
    heading.className = "object";
    const names = [...new Set(all.flatMap(look => look ? [...look.values.keys()] : []))];
    return [heading, ...names.map(name => {
      const values = all.map(look => look?.values.get(name));
      const known = new Set(values.filter(value => value !== undefined));
      return tableRow(name, values.map(value =>
        element("td", value ?? "", known.size > 1 && value !== undefined ? "differs" : "")));
    })];
  });
}
