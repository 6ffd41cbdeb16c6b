// Templates of expressions: `$kind` is what may stand there.

const SLOT = /\$\$|\$([a-z]+)(\d?)/;

/** [[item, extra cost]] for every item of the tiers; later tiers cost more. */
function ranked(tiers, step = 0.3) {
  const found = new Map();
  tiers.forEach((tier, rank) => {
    for (const item of tier) if (!found.has(item)) found.set(item, step * rank);
  });
  return [...found];
}

const oneByOne = (items, step) =>
  ranked(
    items.map((item) => [item]),
    step,
  );

/**
 * All ways to fill the slots of a row of templates: [text, extra cost]. Later templates cost more.
 * @param choicesOf what a slot of a kind and number is filled with
 */
function* expand(templates, step, choicesOf) {
  for (const [rank, template] of templates.entries()) {
    const pieces = template.split(/(\$[a-z]+\d?)/);
    const slots = [...new Set(pieces.filter((piece) => /^\$[a-z]/.test(piece)))];
    for (const choice of product(slots.map((slot, i) => choicesOf(SLOT.exec(slot)[1], i)))) {
      const texts = choice.map(([text]) => text);
      if (new Set(texts).size < texts.length) continue;
      const chosen = new Map(slots.map((slot, i) => [slot, texts[i]]));
      const text = pieces.map((piece) => chosen.get(piece) ?? piece).join("");
      yield [text, step * Math.min(rank, 10) + choice.reduce((sum, [, extra]) => sum + extra, 0)];
    }
  }
}

function* product(lists) {
  if (lists.length === 0) yield [];
  else for (const one of lists[0]) for (const rest of product(lists.slice(1))) yield [one, ...rest];
}
