import { entriesOf, findManifest, isExact } from "./manifest.js";
import { findFiles, findText } from "./source-tree.js";

/**
 * The problems of documents and manifests for newcomers and machines: one line each, the file and
 * the fault.
 */
export function checkPapers(root: string): readonly string[] {
  return [
    ...checkLocks(root),
    ...checkVersions(root),
    ...checkMentions(root, "README.md", ["npm ci && npm start", "npm ci && npm test"]),
    ...checkMentions(root, ".ci/run", ["npm test"]),
    ...checkChangelog(root),
  ];
}

/** Each subject of a release is in one entry: a second one would be read as a second change. */
function checkChangelog(root: string): readonly string[] {
  const releases = (findText(root, "CHANGELOG.md") ?? "").split(/^## /m).slice(1);
  return releases.flatMap((release) => {
    const subjects = [...release.matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, subject]) => subject);
    const repeated = subjects.filter((subject, index) => subjects.indexOf(subject) < index);
    return repeated.map((subject) => `CHANGELOG.md: lists "${subject}" twice in one release`);
  });
}

/** A lock file with addresses binds every installation to its author's registry. */
function checkLocks(root: string): readonly string[] {
  const locks = findFiles(root).filter((path) => /(^|\/)package-lock\.json$/.test(path));
  return [
    ...(locks.includes("package-lock.json") ? [] : ["package-lock.json: is missing"]),
    ...locks.flatMap((path) => checkLock(path, findText(root, path) ?? "")),
  ];
}

function checkLock(path: string, text: string): readonly string[] {
  return Object.entries(entriesOf(entriesOf(JSON.parse(text)).packages))
    .filter(([, entry]) => /^[\w+]+:/.test(String(entriesOf(entry).resolved)))
    .map(([name]) => `${path}: ${name} has a download address`);
}

function checkVersions(root: string): readonly string[] {
  const manifests = findFiles(root)
    .filter((path) => /(^|\/)package\.json$/.test(path))
    .map((path) => ({ path, manifest: findManifest(root, path.replace(/\/?package\.json$/, "")) }));
  const ours = new Set(manifests.map(({ manifest }) => manifest?.name));

  return manifests.flatMap(({ path, manifest }) =>
    ["dependencies", "devDependencies", "optionalDependencies"]
      .flatMap((field) => Object.entries(entriesOf(manifest?.[field])))
      .filter(([name, version]) => !ours.has(name) && !isExact(version))
      .map(([name, version]) => `${path}: ${name} ${version} is not one version`),
  );
}

function checkMentions(root: string, path: string, words: readonly string[]): readonly string[] {
  const text = findText(root, path);
  if (text === undefined) return [`${path}: is missing`];
  return words
    .filter((command) => !text.includes(command))
    .map((command) => `${path}: does not mention "${command}"`);
}
