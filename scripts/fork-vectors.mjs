// `npm run vectors`: executes the blocks of `test/vectors/cases` with geth's `evm t8n` and writes
// the results. `evm` is found in the PATH, or by the variable PLINTH_EVM.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const EVM = process.env.PLINTH_EVM ?? "evm";
const FORKS = ["cancun", "prague", "osaka"];
const ARGUMENTS = [
  "t8n",
  ...["--input.alloc=stdin", "--input.env=stdin", "--input.txs=stdin"],
  ...["--output.result=stdout", "--output.alloc=", "--output.body="],
  ...["--state.chainid=1", "--state.reward=-1"],
];
/** Blocks that break a rule; any other failure of the tool is a mistake in a case. */
const INVALID = /could not (parse requests logs|process (withdrawal|consolidation) requests)/;

const version = findVersion();
if (version === undefined) {
  console.log(
    `${EVM} cannot be run: vectors stay as they are. Install go-ethereum's evm, or set PLINTH_EVM.`,
  );
} else {
  for (const fork of FORKS) await writeVectors(fork);
}

async function writeVectors(fork) {
  const { encodeRlp, parseHex, toHex } = await import("@plinth/core");
  const { SYSTEM_CONTRACTS: contracts } = await import(
    "../test/vectors/cases/system-contracts.mjs"
  );
  const { cases } = await import(`../test/vectors/cases/${fork}.mjs`);
  const vectors = cases.map((given) => {
    const system = Object.entries(contracts).filter(
      ([address]) => !given.without.includes(address),
    );
    const alloc = { ...Object.fromEntries(system), ...given.alloc };
    const txsRlp = toHex(encodeRlp(given.transactions.map((hex) => parseHex(hex))));
    return { ...given, result: execute(given, { alloc, env: given.env, txsRlp }) };
  });
  const lines = vectors.map((vector) => `  ${JSON.stringify(vector)}`).join(",\n");
  const head = `"origin": ${JSON.stringify(version)}, "contracts": ${JSON.stringify(contracts)}`;
  const path = fileURLToPath(new URL(`../test/vectors/${fork}.json`, import.meta.url));
  writeFileSync(path, `{${head}, "vectors": [\n${lines}\n]}\n`);
  console.log(`${vectors.length} vectors of ${fork}`);
}

function execute({ name, fork }, input) {
  const { status, stdout, stderr } = spawnSync(EVM, [...ARGUMENTS, `--state.fork=${fork}`], {
    input: JSON.stringify(input),
    encoding: "utf8",
  });
  if (INVALID.test(stderr)) return { invalid: stderr.match(INVALID)[0] };
  if (status !== 0) throw new Error(`${name}: ${stderr}`);
  return compact(JSON.parse(stdout).result);
}

/** The header commitments, and why transactions were rejected. */
function compact(result) {
  const { stateRoot, receiptsRoot, logsBloom, gasUsed, blobGasUsed } = result;
  const { requestsHash, requests, currentExcessBlobGas, rejected = [], receipts = [] } = result;
  return {
    stateRoot,
    receiptsRoot,
    logsBloom: /^0x0*$/.test(logsBloom) ? undefined : logsBloom,
    gasUsed,
    blobGasUsed,
    excessBlobGas: currentExcessBlobGas,
    requestsHash,
    // Before Prague the tool returns null.
    requests: requests ?? [],
    receipts: receipts.map(({ status, gasUsed: gas }) => ({ status, gasUsed: gas })),
    rejected,
  };
}

function findVersion() {
  const { status, stdout } = spawnSync(EVM, ["--version"], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}
