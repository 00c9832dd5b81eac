import { basename, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { verifyAnswers } from "./verify-answers.mjs";
import { writePlugin } from "./write-plugin.mjs";

const HELP = `Usage: npm create plinth-plugin [FOLDER] -- [OPTIONS]

Writes a plugin in TypeScript with a test, a README and a CI file.

  --name=NAME            Name of the package; by default that of the folder.
  --namespace=WORD       Namespace of its JSON-RPC method; by default derived from the name.
  --description=TEXT     What it does, in a sentence.
  --packages=FOLDER      Folder with tarballs of Plinth (npm run pack in its repository), to use until they are in the registry.
  -h, --help             Shows this text.

Missing values are prompted for on a terminal.
`;

const OPTIONS = {
  name: { type: "string" },
  namespace: { type: "string" },
  description: { type: "string" },
  packages: { type: "string" },
  help: { type: "boolean", short: "h" },
};

/** Writes a plugin according to the arguments; returns the exit code. */
export async function run(words) {
  try {
    const { values, positionals } = parseArgs({
      args: words,
      options: OPTIONS,
      allowPositionals: true,
    });
    if (values.help) {
      process.stdout.write(HELP);
      return 0;
    }
    const answers = await complete(values, positionals);
    verifyAnswers(answers);
    const files = await writePlugin(answers);
    process.stdout.write(describe(answers, files));
    return 0;
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
}

/** Prompts for missing values on a terminal; otherwise uses the defaults. */
async function complete(given, [folder]) {
  const questions = openQuestions();
  const ask = (text, usual) => questions?.ask(text, usual) ?? usual;
  try {
    const target = folder ?? (await ask("Folder", given.name ?? "plinth-hello"));
    const name = given.name ?? (await ask("Name of the package", basename(resolve(target))));
    const namespace = given.namespace ?? (await ask("Namespace of its method", namespaceOf(name)));
    const description = given.description ?? (await ask("What does it do?", "A Plinth plugin."));
    const { packages } = given;
    return { folder: resolve(target), name, namespace, description, packages };
  } finally {
    questions?.close();
  }
}

/** `undefined` if the input is not a terminal. */
function openQuestions() {
  if (!process.stdin.isTTY) return undefined;
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  return {
    ask: async (text, usual) => (await lines.question(`${text} (${usual}): `)).trim() || usual,
    close: () => lines.close(),
  };
}

/** `@acme/plinth-gas-report` → `gasreport`. */
function namespaceOf(name) {
  const last = name.split("/").at(-1) ?? name;
  return last.replace(/^plinth-(plugin-)?/, "").replace(/[^a-z0-9]/g, "");
}

function describe({ folder, namespace }, files) {
  return `Wrote ${files.length} files to ${folder}:

${files.map((file) => `  ${file}`).join("\n")}

Next:
  cd ${folder}
  npm install
  npm test
  npx plinth --config-file=plinth.toml    # serves ${namespace}_greet
`;
}
