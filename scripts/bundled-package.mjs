// Packages that contain the packages of this repository they depend on.

import { publishedPackages } from "./published-packages.mjs";

/** The packages that people install themselves. */
export const PACKED = [
  ...["plinth", "@plinth/core", "@plinth/testing", "create-plinth-plugin"],
  ...publishedPackages()
    .filter(({ manifest }) => manifest.plinth?.isSeparate === true)
    .map(({ manifest }) => manifest.name),
];

/** The packages of this repository that one needs, except for those that its user installs. */
export function dependenciesOf(name, packages) {
  const { peerDependencies = {} } = packages.get(name).manifest;
  const found = new Set();
  const add = (each) => {
    const { dependencies = {}, peerDependencies: peers = {} } = packages.get(each).manifest;
    for (const needed of [...Object.keys(dependencies), ...Object.keys(peers)]) {
      if (!packages.has(needed) || needed in peerDependencies || found.has(needed)) continue;
      found.add(needed);
      add(needed);
    }
  };
  add(name);
  found.delete(name);
  return [...found].sort();
}

/** The manifest of a package that contains others, with their dependencies in the registry. */
export function manifestOf(name, inside, packages) {
  const { manifest } = packages.get(name);
  const dependencies = {};
  for (const each of [name, ...inside]) {
    for (const [needed, range] of Object.entries(packages.get(each).manifest.dependencies ?? {})) {
      if (packages.has(needed)) continue;
      if ((dependencies[needed] ?? range) !== range) {
        throw new Error(`${each} needs ${needed} ${range}, others ${dependencies[needed]}`);
      }
      dependencies[needed] = range;
    }
  }
  for (const each of inside) dependencies[each] = packages.get(each).manifest.version;
  return { ...manifest, dependencies, bundleDependencies: inside };
}
