import { type Fork, type Header, InvalidBlock, isAtLeast, keccakHeader } from "@plinth/core";

const MIN_DIFFICULTY = 131_072n;
const BOMB_PERIOD = 100_000n;
const MAX_UNCLES = 2;
const MAX_UNCLE_DEPTH = 6n;
const NO_UNCLES = "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347";

/** How many blocks the bomb was put off, by fork. */
const BOMB_DELAYS: readonly (readonly [Fork, bigint])[] = [
  ["grayGlacier", 11_400_000n],
  ["arrowGlacier", 10_700_000n],
  ["london", 9_700_000n],
  ["muirGlacier", 9_000_000n],
  ["constantinople", 5_000_000n],
  ["byzantium", 3_000_000n],
];

/** The difficulty of a block on its parent, under its fork. */
export function difficultyOn(parent: Header, { number, timestamp }: Header, fork: Fork): bigint {
  const step = parent.difficulty / 2048n;
  const seconds = timestamp - parent.timestamp;
  const next = max(MIN_DIFFICULTY, parent.difficulty + step * stepsOf(seconds, parent, fork));
  const delay = BOMB_DELAYS.find(([since]) => isAtLeast(fork, since))?.[1] ?? 0n;
  const period = max(0n, number - delay) / BOMB_PERIOD;
  return period > 1n ? next + 2n ** (period - 2n) : next;
}

/** Throws unless uncles are few, new, rightly made and of the family. */
export function verifyUncles(
  block: { readonly header: Header; readonly uncles: readonly Header[] },
  find: (
    hash: string,
  ) => { readonly header: Header; readonly uncles: readonly Header[] } | undefined,
  verify: (uncle: Header, parent: Header) => void,
): void {
  const wrong = (problem: string) =>
    new InvalidBlock("uncles", `block ${block.header.number}: ${problem}`);
  if (block.uncles.length > MAX_UNCLES) throw wrong("too many uncles");
  const ancestors: Header[] = [];
  const used = new Set<string>([keccakHeader(block.header)]);
  for (let hash = block.header.parentHash, depth = 0; depth < 7; depth++) {
    const known = find(hash);
    if (known === undefined) break;
    ancestors.push(known.header);
    used.add(keccakHeader(known.header));
    for (const uncle of known.uncles) used.add(keccakHeader(uncle));
    hash = known.header.parentHash;
  }
  for (const uncle of block.uncles) {
    const hash = keccakHeader(uncle);
    if (used.has(hash)) throw wrong("an uncle is an ancestor, or was used before");
    used.add(hash);
    const parent = ancestors.slice(1).find((header) => keccakHeader(header) === uncle.parentHash);
    const depth = block.header.number - uncle.number;
    if (parent === undefined || depth > MAX_UNCLE_DEPTH) throw wrong("an uncle is no relative");
    verify(uncle, parent);
  }
}

function stepsOf(seconds: bigint, parent: Header, fork: Fork): bigint {
  if (!isAtLeast(fork, "homestead")) return seconds < 13n ? 1n : -1n;
  if (!isAtLeast(fork, "byzantium")) return max(-99n, 1n - seconds / 10n);
  const first = parent.unclesHash === NO_UNCLES ? 1n : 2n;
  return max(-99n, first - seconds / 9n);
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
