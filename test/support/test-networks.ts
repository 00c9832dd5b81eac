/** The `config` of a genesis file for each rule set of ethereum/tests. */
const KEYS: readonly (readonly [name: string, key: string])[] = [
  ["Frontier", ""],
  ["Homestead", "homesteadBlock"],
  ["Dao", "daoForkBlock"],
  ["EIP150", "eip150Block"],
  ["EIP158", "eip158Block"],
  ["Byzantium", "byzantiumBlock"],
  ["Constantinople", "constantinopleBlock"],
  ["ConstantinopleFix", "petersburgBlock"],
  ["Istanbul", "istanbulBlock"],
  ["Berlin", "berlinBlock"],
  ["London", "londonBlock"],
  ["ArrowGlacier", "arrowGlacierBlock"],
  ["Paris", "terminalTotalDifficulty"],
  ["Shanghai", "shanghaiTime"],
  ["Cancun", "cancunTime"],
];

/** `BerlinToLondonAt5`, `ParisToShanghaiAtTime15k`, `ArrowGlacierToParisAtDiffC0000`. */
const TRANSITION = /^(\w+?)To(\w+?)At(Time|Diff)?(\w+)$/;

/** The `config` of a genesis file for a network of ethereum/tests. */
export function configOf(network: string): Readonly<Record<string, number>> {
  const parts = TRANSITION.exec(network);
  if (parts === null) return { chainId: 1, ...forksUpTo(network) };
  const [, from = "", to = "", kind, at = ""] = parts;
  return { chainId: 1, ...forksUpTo(from), [keyOf(to)]: readPoint(kind, at) };
}

function forksUpTo(name: string): Readonly<Record<string, number>> {
  const keys = KEYS.slice(1, KEYS.findIndex(([other]) => other === name) + 1);
  // Frontier to Homestead had no DAO on the way.
  return Object.fromEntries(
    keys.filter(([other]) => other !== "Dao").map(([, key]) => [key, 0] as const),
  );
}

function keyOf(name: string): string {
  const found = KEYS.find(([other]) => other === name);
  if (found === undefined) throw new Error(`${name} is no fork of the tests`);
  return found[1];
}

function readPoint(kind: string | undefined, text: string): number {
  if (kind === "Diff") return Number.parseInt(text, 16);
  return text.endsWith("k") ? Number(text.slice(0, -1)) * 1000 : Number(text);
}
