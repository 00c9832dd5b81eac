// `npm run long -- NAME`: runs a suite that takes too long for every change; without a name, lists
// them; `--json` for the names alone.
import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { LONG_SUITES } from "./long-suites.mjs";
import { ROOT } from "./package-folders.mjs";

const [name, ...others] = process.argv.slice(2);
const suite = LONG_SUITES.find((each) => each.name === name);
if (name === "--json") console.log(JSON.stringify(LONG_SUITES.map((each) => each.name)));
else if (name === undefined) list();
else if (suite === undefined) {
  console.error(`there is no suite "${name}"; there are:`);
  list();
  process.exitCode = 2;
} else {
  console.log(`${suite.name}: ${suite.summary}`);
  process.exitCode = runSuite(suite);
}

function runSuite({ command, builds, environment }) {
  const programs = join(ROOT, "node_modules", ".bin");
  const env = {
    ...environment,
    ...process.env,
    PATH: `${programs}${delimiter}${process.env.PATH}`,
  };
  const run = (line) =>
    spawnSync(line, { cwd: ROOT, env, shell: true, stdio: "inherit" }).status ?? 1;
  const built = builds ? run("npm run -s build") : 0;
  return built === 0 ? run([command, ...others].join(" ")) : built;
}

function list() {
  const widest = Math.max(...LONG_SUITES.map((each) => each.name.length));
  for (const { name: each, summary } of LONG_SUITES) {
    console.log(`${each.padEnd(widest)}  ${summary}`);
  }
}
