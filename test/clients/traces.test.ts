import { loadCrypto, toHex } from "@plinth/core";
import { signTransaction } from "@plinth/core/blocks";
import { describe, expect, it } from "vitest";
import { isGethMissing } from "../support/geth.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { isMissing } from "./installed.js";
import { makeTransactions, SENDER } from "./traced-contracts.js";
import { startAnvil, startGeth, startOurs, type Tracing } from "./traced-peers.js";

const TRACERS = [
  { tracer: "callTracer", tracerConfig: {} },
  { tracer: "callTracer", tracerConfig: { withLog: true } },
  { tracer: "4byteTracer", tracerConfig: {} },
  { tracer: "prestateTracer", tracerConfig: {} },
  { tracer: "prestateTracer", tracerConfig: { diffMode: true } },
];

/** `npm run long -- tools` compares 200. */
const COUNT = process.env.PLINTH_TOOLS === undefined ? 25 : 200;

/** How the responses of a peer are compared with ours. */
interface Comparison {
  /** The common meaning, in one form. */
  normal(answer: unknown, tracer: string): unknown;
  isKnown(trace: {
    readonly tracer: string;
    readonly name: string;
    readonly text: string;
  }): boolean;
}

describe(`the traces of ${COUNT} transactions`, { timeout: 180_000 }, () => {
  it.skipIf(isMissing("foundry", "@foundry-rs/anvil-linux-amd64"))("match anvil", async () => {
    using folder = temporaryFolder();
    await using ours = await startOurs(folder, { cancunTime: 0 });
    await using anvil = await startAnvil();

    expect(await findDifferences(ours, anvil, AGAINST_ANVIL)).toEqual([]);
  });

  it.skipIf(isGethMissing())("match geth", async () => {
    using folder = temporaryFolder();
    await using ours = await startOurs(folder, { shanghaiTime: 0 });
    await using geth = await startGeth(folder);

    expect(await findDifferences(ours, geth, AGAINST_GETH)).toEqual([]);
  });
});

async function findDifferences(
  ours: Tracing,
  peer: Tracing,
  { normal, isKnown }: Comparison,
): Promise<readonly unknown[]> {
  await loadCrypto();
  const differences: unknown[] = [];
  for (const [index, transaction] of makeTransactions(COUNT).entries()) {
    const raw = toHex(signTransaction(transaction, SENDER.key));
    const hash = await ours.rpc("eth_sendRawTransaction", [raw]);
    await peer.rpc("eth_sendRawTransaction", [raw]);
    for (const options of TRACERS) {
      const { tracer } = options;
      const [mine, theirs] = await Promise.all(
        [ours, peer].map(async ({ rpc }) =>
          normal(await rpc("debug_traceTransaction", [hash, options]), tracer),
        ),
      );
      const { name } = transaction;
      const text = JSON.stringify(mine);
      if (text === JSON.stringify(theirs) || isKnown({ tracer, name, text })) continue;
      differences.push({ index, name, options, mine, theirs });
    }
  }
  return differences;
}

const COLLISION = "contract address collision";

/** Added in later versions of geth. */
const LATER_MEMBERS = ["codeHash", "index"];

/**
 * Known differences, all of them fixed in later versions: this one of geth reports contracts that
 * the transaction creates as if they had existed before, the transaction's own with its nonce
 * already, counts the first four bytes of the init code, and has no frame for a contract at an
 * address that is taken.
 */
const AGAINST_GETH: Comparison = {
  normal: (answer) =>
    ordered(answer, {
      isLeftOut: (name, member) =>
        LATER_MEMBERS.includes(name) || wasNotThere(member) || (name === "nonce" && member === 1),
    }),
  isKnown: ({ tracer, name, text }) =>
    (tracer === "4byteTracer" && name.startsWith("creation")) ||
    (tracer === "callTracer" && text.includes(COLLISION)),
};

/** Messages of anvil that differ from geth's, which are ours. */
const WORDS: Readonly<Record<string, string>> = {
  StateChangeDuringStaticCall: "write protection",
  CreateCollision: COLLISION,
};

/**
 * Known differences: anvil does not include the intrinsic gas in `gas` of the first frame, reports
 * accounts that did not exist before, counts calls of precompiles by their first four bytes, and
 * has no `codeHash`; geth differs in all of them.
 */
const AGAINST_ANVIL: Comparison = {
  normal(answer, tracer) {
    const { gas: _gas, ...rest } = Object(answer);
    return ordered(tracer === "callTracer" ? rest : answer, {
      word: (value) => WORDS[value] ?? value,
      isLeftOut: (name, member) => name === "codeHash" || wasNotThere(member),
    });
  },
  isKnown: ({ tracer, name }) => tracer === "4byteTracer" && name === "call of a precompile",
};

interface Ordering {
  readonly word?: (value: string) => string;
  readonly isLeftOut?: (name: string, member: unknown) => boolean;
}

function ordered(value: unknown, how: Ordering): unknown {
  if (Array.isArray(value)) return value.map((member) => ordered(member, how));
  if (typeof value === "string") return how.word?.(value) ?? value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => how.isLeftOut?.(name, member) !== true)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, ordered(member, how)]),
  );
}

function wasNotThere(member: unknown): boolean {
  return ["{}", '{"balance":"0x0"}', '{"balance":"0x0","nonce":1}'].includes(
    JSON.stringify(member),
  );
}
