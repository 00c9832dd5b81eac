// Puts deliberate bugs into consensus, one at a time, and lets the simulator look for them: each must be found.
// The sources are changed in place and put back; run it on a clean working tree.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const SCHEDULES = process.env.PLINTH_SCHEDULES ?? "200";
const KIT = "plugins/kit-bft/src";

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
    "if (round === this.#round) await this.#changeTo(round + 1);",
    "",
  ],
  [
    "a proposal need not be the block that was prepared",
    "plugins/consensus-qbft/src/verify-justification.ts",
    "isClaimed(block, claim)",
    "true",
  ],
];

const dirty = execFileSync("git", ["status", "--porcelain", "plugins"], { encoding: "utf8" });
if (dirty !== "") throw new Error(`commit these changes first:\n${dirty}`);

const survivors = MUTANTS.filter(([name, file, original, mutated]) => {
  const isFound = tryMutant(file, original, mutated);
  process.stdout.write(`${isFound ? "found   " : "survived"}  ${name}\n`);
  return !isFound;
});
process.stdout.write(`${MUTANTS.length - survivors.length} of ${MUTANTS.length} bugs were found\n`);
process.exitCode = survivors.length === 0 ? 0 : 1;

function tryMutant(file, original, mutated) {
  const source = readFileSync(file, "utf8");
  if (!source.includes(original)) throw new Error(`${file} has no "${original}"`);
  try {
    writeFileSync(file, source.replace(original, mutated));
    const { status } = spawnSync(
      "npx",
      ["vitest", "run", "--project", "integration", "test/network/simulator"],
      { env: { ...process.env, PLINTH_SCHEDULES: SCHEDULES }, stdio: "ignore" },
    );
    return status !== 0;
  } finally {
    writeFileSync(file, source);
  }
}
