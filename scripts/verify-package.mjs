// The problems that keep a package from being published.

/** Files that only builds and tests need. */
const LEFTOVER =
  /(\.tsbuildinfo|\.test\.\w+(\.\w+)?|\.test-d\.ts)$|(^|\/)(node_modules|coverage)\//;

/** One line per problem of a package and its tarball; none if it can be published. */
export function problemsOf({ folder, manifest }, packed) {
  const { name } = manifest;
  const report = packed.get(name);
  if (report === undefined) return [`${folder}: npm packed no ${name}`];
  const files = report.files.map(({ path }) => path);
  const wanted = ["LICENSE", "README.md", "package.json", ...entriesOf(manifest)];
  return [
    ...wanted.filter((file) => !files.includes(file)).map((file) => `lacks ${file}`),
    ...files.filter((file) => isLeftover(name, file)).map((file) => `has ${file}, a leftover`),
    ...problemsOfManifest(folder, manifest),
  ].map((problem) => `${folder}: ${problem}`);
}

/** The template of a plugin has its own test. */
function isLeftover(name, file) {
  return LEFTOVER.test(file) && !(name === "create-plinth-plugin" && file.startsWith("template/"));
}

/** All targets of `exports` and `bin`, except for sources, which are not published. */
function entriesOf({ exports = {}, bin = {} }) {
  const conditions = Object.values(exports).flatMap((entry) =>
    typeof entry === "string" ? [entry] : [entry.types ?? [], entry.default].flat(),
  );
  return [...conditions, ...Object.values(bin)].map((path) => path.replace(/^\.\//, ""));
}

function problemsOfManifest(folder, { repository, publishConfig, license, private: isPrivate }) {
  const expectations = {
    "is private": isPrivate !== true,
    "has no license Apache-2.0": license === "Apache-2.0",
    "has no repository with its folder":
      repository?.url?.startsWith("git+https://") && repository.directory === folder,
    "has no publishConfig with provenance":
      publishConfig?.access === "public" && publishConfig.provenance === true,
  };
  return Object.keys(expectations).filter((problem) => !expectations[problem]);
}
