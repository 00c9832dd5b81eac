/** The page above all releases: it links to each that was built. */
export function releasePage(names) {
  const releases = names
    .filter((name) => /^v\d/.test(name))
    .sort((a, b) => b.localeCompare(a, "en", { numeric: true }));
  const items = releases.map((name) => `<li><a href="${name}/index.html">${name}</a></li>`);
  return [
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Plinth</title>',
    `<h1>Plinth</h1><p>Documentation by release, the latest first:</p><ul>${items.join("")}</ul>`,
    "</html>",
  ].join("\n");
}
