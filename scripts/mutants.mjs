// Inserts deliberate bugs into consensus, one at a time, and lets the simulator search for them:
// each must be found. The sources are changed in place and restored; run it on a clean working
// tree. Arguments select bugs by name.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

/** Maximum number of schedules per bug. */
const SCHEDULES = process.env.PLINTH_SCHEDULES ?? "300";
const KIT = "kits/kit-bft/src";
const QBFT = "plugins/consensus/consensus-qbft/src/verify-justification.ts";
const IBFT = "plugins/consensus/consensus-ibft/src/verify-justification.ts";

/** A bug: a name, and for each location the file, the original text, and its replacement. */
const MUTANTS = [
  [
    "a quorum is one too small",
    [
      `${KIT}/height/quorum.ts`,
      "Math.ceil((2 * validators) / 3)",
      "Math.ceil((2 * validators) / 3) - 1",
    ],
  ],
  [
    "a prepared block is not claimed",
    [
      `${KIT}/height/height.ts`,
      "createRoundChange(id, this.#prepared(), sign)",
      "createRoundChange(id, undefined, sign)",
    ],
  ],
  [
    "what is signed is not durable",
    [
      `${KIT}/height/journal.ts`,
      "this.#markEntry(mark)], { durable: true });\n    await this.#mark.written(mark);\n    this.#stale",
      "this.#markEntry(mark)], {});\n    await this.#mark.written(mark);\n    this.#stale",
    ],
  ],
  [
    "what was signed is not read after a restart",
    [`${KIT}/session/validator.ts`, "machine.start(record)", "machine.start()"],
  ],
  [
    "a new block is proposed where one was prepared",
    [
      `${KIT}/height/height.ts`,
      "this.#blockFor(round, findPrepared(reasons))",
      "this.#blockFor(round, undefined)",
    ],
  ],
  [
    "one prepare too few is enough",
    [
      `${KIT}/height/round-state.ts`,
      "this.prepares.size < needed",
      "this.prepares.size < needed - 1",
    ],
  ],
  [
    "seals of commits are not verified",
    [
      `${KIT}/height/height.ts`,
      "return isSignedBy(message.author, hash, message.seal);",
      "return hash !== undefined;",
    ],
  ],
  [
    "a second message of one kind is signed in a round",
    [`${KIT}/height/height.ts`, "if (known !== undefined) return known;", ""],
  ],
  [
    "rounds never end",
    [
      `${KIT}/height/height.ts`,
      "if (round === 0 || this.#isQuorumThere(round)) await",
      "if (round < 0) await",
    ],
  ],
  ["a proposal need not be the block that was prepared", [QBFT, "isClaimed(block, claim)", "true"]],
  [
    "a proposal need not be the block that was prepared, with IBFT 2.0",
    [
      IBFT,
      "last === undefined || ibftForm.sealHashOf(block.header, last.round) === last.digest",
      "last === undefined || last.round < round",
    ],
  ],
  [
    "a known hash lets any body pass, which is kept, and given up after a restart",
    [`${KIT}/height/height-blocks.ts`, "    await verifyBlockBody(block);\n", ""],
    [
      `${KIT}/height/height.ts`,
      "this.#preparedBlock = this.#parts.blocks.find(block.header);",
      "this.#preparedBlock = block;",
    ],
    [
      `${KIT}/height/height.ts`,
      "const block = blocks.find(header);",
      "const { block } = prepared;",
    ],
    [
      `${KIT}/height/height.ts`,
      "await this.#recoverFrom(this.#certificate?.block ?? this.#certificate?.proposal.block);",
      "await this.#recoverFrom(this.#certificate?.block ?? this.#certificate?.proposal.block);\n    if (this.#preparedBlock === undefined) this.#certificate = undefined;",
    ],
  ],
  [
    "a certificate is given up with a restart",
    [
      `${KIT}/height/height.ts`,
      "this.#certificate = await this.#ifInForce(certificate);",
      "await this.#ifInForce(certificate);",
    ],
  ],
  [
    "a certificate is given up with a body that is damaged on the disk",
    [
      `${KIT}/height/height.ts`,
      "await this.#recoverFrom(this.#certificate?.block ?? this.#certificate?.proposal.block);",
      "await this.#recoverFrom(this.#certificate?.block ?? this.#certificate?.proposal.block);\n    if (this.#preparedBlock === undefined) this.#certificate = undefined;",
    ],
  ],
  [
    "the journal is read without its certificate",
    [
      `${KIT}/height/journal.ts`,
      "if (name === CERTIFICATE) certificate = certificateOf(kept, block);",
      "if (name === CERTIFICATE) certificateOf(kept, block);",
    ],
  ],
  [
    "a certificate may have prepares of another round",
    [
      QBFT,
      "height === facts.height && round === claim.round && digest === claim.digest",
      "height === facts.height && round <= claim.round && digest === claim.digest",
    ],
  ],
  [
    "votes count for any block",
    [`${KIT}/height/height.ts`, "if (message.digest !== digest) return false;", ""],
  ],
  [
    "heights below the mark are signed",
    [
      `${KIT}/height/journal.ts`,
      "return this.#mark.explain(height, this.#mark.current.height);",
      "return height < 0n ? this.#mark.explain(height, 0n) : undefined;",
    ],
  ],
  [
    "the file beside the database is not read",
    [
      "kits/kit-poa/src/signed-mark.ts",
      'typeof beside === "object" && isAfter(beside, own)',
      'typeof beside === "object" && isAfter(own, own)',
    ],
  ],
  [
    "a header may name uncles",
    [
      `${KIT}/blocks/header-rules.ts`,
      "header.unclesHash === NO_UNCLES_HASH",
      "header.unclesHash !== undefined",
    ],
  ],
  [
    "a block that carries any round is proposed again with another",
    [
      "plugins/consensus/consensus-qbft/src/dialect.ts",
      "prepared === undefined || isClaimed(again, prepared) ? again : block",
      "prepared === undefined ? again : withRound(block, round)",
    ],
  ],
];

const chosen = MUTANTS.filter(([name]) => {
  const words = process.argv.slice(2);
  return words.length === 0 || words.some((word) => name.includes(word));
});

const dirty = execFileSync("git", ["status", "--porcelain", "kits", "plugins"], {
  encoding: "utf8",
});
if (dirty !== "") fail(`commit these changes first:\n${dirty}`);
const missing = chosen.flatMap(([name, ...places]) =>
  places
    .filter(([file, original]) => !readFileSync(file, "utf8").includes(original))
    .map(([file, original]) => `${name}: ${file} has no "${original}"`),
);
if (missing.length > 0) {
  fail(`the sources have changed, and these bugs with them:\n${missing.join("\n")}`);
}
if (!isSimulatorContent()) fail("the simulator finds something without any deliberate bug");

const survivors = chosen.filter(([name, ...places]) => {
  const isFound = tryMutant(places);
  process.stdout.write(`${isFound ? "found   " : "survived"}  ${name}\n`);
  return !isFound;
});
process.stdout.write(`${chosen.length - survivors.length} of ${chosen.length} bugs were found\n`);
process.exitCode = survivors.length === 0 ? 0 : 1;

function tryMutant(places) {
  const files = new Map(places.map(([file]) => [file, readFileSync(file, "utf8")]));
  try {
    for (const [file, original, mutated] of places) {
      writeFileSync(file, readFileSync(file, "utf8").replace(original, mutated));
    }
    return !isSimulatorContent();
  } finally {
    for (const [file, source] of files) writeFileSync(file, source);
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
