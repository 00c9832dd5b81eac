// Puts deliberate bugs into consensus, one at a time, and lets the simulator look for them: each must be found.
// The sources are changed in place and put back; run it on a clean working tree. Arguments choose bugs by their names.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

/** The most schedules that are run for a bug. */
const SCHEDULES = process.env.PLINTH_SCHEDULES ?? "300";
const KIT = "plugins/kit-bft/src";
const QBFT = "plugins/consensus-qbft/src/verify-justification.ts";
const IBFT = "plugins/consensus-ibft/src/verify-justification.ts";

/** A bug: in which file, what stands there, and what is put in its place. */
const MUTANTS = [
  [
    "a quorum is one too small",
    `${KIT}/quorum.ts`,
    "Math.ceil((2 * validators) / 3)",
    "Math.ceil((2 * validators) / 3) - 1",
  ],
  [
    "a prepared block is forgotten",
    `${KIT}/height.ts`,
    "dialect.createRoundChange(id, this.#fullCertificate(), sign)",
    "dialect.createRoundChange(id, undefined, sign)",
  ],
  ["what is signed is not durable", `${KIT}/journal.ts`, "{ durable: true }", "{}"],
  [
    "what was signed is not read after a restart",
    `${KIT}/validator.ts`,
    "machine.start(record)",
    "machine.start()",
  ],
  [
    "a new block is proposed where one was prepared",
    `${KIT}/height.ts`,
    "findPrepared(reasons)?.block",
    "undefined",
  ],
  [
    "one prepare too few is enough",
    `${KIT}/round-state.ts`,
    "this.prepares.size < needed",
    "this.prepares.size < needed - 1",
  ],
  [
    "seals of commits are not verified",
    `${KIT}/height.ts`,
    "return isSignedBy(message.author, hash, message.seal);",
    "return hash !== undefined;",
  ],
  [
    "a second message of one kind is signed in a round",
    `${KIT}/height.ts`,
    "if (known !== undefined) return known;",
    "",
  ],
  [
    "rounds never end",
    `${KIT}/height.ts`,
    "if (round === 0 || this.#isQuorumThere(round)) await",
    "if (round < 0) await",
  ],
  ["a proposal need not be the block that was prepared", QBFT, "isClaimed(block, claim)", "true"],
  [
    "a proposal need not be the block that was prepared, with IBFT 2.0",
    IBFT,
    "last === undefined || ibftForm.sealHashOf(block.header, last.round) === last.digest",
    "last === undefined || last.round < round",
  ],
  [
    "a block that was executed lets any body pass",
    `${KIT}/height-blocks.ts`,
    "if (this.#executed.has(hash)) return;",
    "if (this.#executed.size > 0) return;",
  ],
  [
    "a prepared block is forgotten with a restart",
    `${KIT}/height.ts`,
    "this.#certificate = await this.#ifUsable(certificate);",
    "await this.#ifUsable(certificate);",
  ],
  [
    "the journal is read without its certificate",
    `${KIT}/journal.ts`,
    "if (name === CERTIFICATE) certificate = certificateOf(kept);",
    "if (name === CERTIFICATE) certificateOf(kept);",
  ],
  [
    "a certificate may have prepares of another round",
    QBFT,
    "height === facts.height && round === claim.round && digest === claim.digest",
    "height === facts.height && round <= claim.round && digest === claim.digest",
  ],
  [
    "votes count for any block",
    `${KIT}/height.ts`,
    "if (message.digest !== digest) return false;",
    "",
  ],
];

const chosen = MUTANTS.filter(([name]) => {
  const words = process.argv.slice(2);
  return words.length === 0 || words.some((word) => name.includes(word));
});

const dirty = execFileSync("git", ["status", "--porcelain", "plugins"], { encoding: "utf8" });
if (dirty !== "") fail(`commit these changes first:\n${dirty}`);
const missing = chosen.filter(
  ([, file, original]) => !readFileSync(file, "utf8").includes(original),
);
if (missing.length > 0) {
  const lines = missing.map(([name, file, original]) => `${name}: ${file} has no "${original}"`);
  fail(`the sources have changed, and these bugs with them:\n${lines.join("\n")}`);
}
if (!isSimulatorContent()) fail("the simulator finds something without any deliberate bug");

const survivors = chosen.filter(([name, file, original, mutated]) => {
  const isFound = tryMutant(file, original, mutated);
  process.stdout.write(`${isFound ? "found   " : "survived"}  ${name}\n`);
  return !isFound;
});
process.stdout.write(`${chosen.length - survivors.length} of ${chosen.length} bugs were found\n`);
process.exitCode = survivors.length === 0 ? 0 : 1;

function tryMutant(file, original, mutated) {
  const source = readFileSync(file, "utf8");
  try {
    writeFileSync(file, source.replace(original, mutated));
    return !isSimulatorContent();
  } finally {
    writeFileSync(file, source);
  }
}

function isSimulatorContent() {
  const { status } = spawnSync(
    "npx",
    ["vitest", "run", "--project", "integration", "--bail", "1", "test/network/simulator"],
    { env: { ...process.env, PLINTH_SCHEDULES: SCHEDULES, PLINTH_SHRINK: "0" }, stdio: "ignore" },
  );
  return status === 0;
}

function fail(reason) {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
