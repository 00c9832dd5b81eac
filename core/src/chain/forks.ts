import { FORKS, type Fork } from "../evm/fork.js";
import { ConfigError } from "../kernel/errors.js";

/** When a fork begins: with a block number, or with a time in seconds. */
export interface Activation {
  readonly fork: Fork;
  readonly by: "block" | "time";
  readonly value: bigint;
}

/** Where a block stands in the schedule. */
export interface ForkPoint {
  readonly number: bigint;
  readonly timestamp: bigint;
}

/** Keys of a genesis file, lower case, with the fork that each begins. */
const BLOCK_KEYS: Readonly<Record<string, Fork>> = {
  homesteadblock: "homestead",
  daoforkblock: "dao",
  eip150block: "tangerineWhistle",
  eip155block: "spuriousDragon",
  eip158block: "spuriousDragon",
  byzantiumblock: "byzantium",
  constantinopleblock: "constantinople",
  constantinoplefixblock: "petersburg",
  petersburgblock: "petersburg",
  istanbulblock: "istanbul",
  muirglacierblock: "muirGlacier",
  berlinblock: "berlin",
  londonblock: "london",
  arrowglacierblock: "arrowGlacier",
  grayglacierblock: "grayGlacier",
};

const TIME_KEYS: Readonly<Record<string, Fork>> = {
  shanghaitime: "shanghai",
  cancuntime: "cancun",
  praguetime: "prague",
  osakatime: "osaka",
};

/** Forks of a network that went another way; their rules are not here. */
const FOREIGN_KEYS: readonly string[] = [
  "classicforkblock",
  "ecip1015block",
  "diehardblock",
  "gothamblock",
  "ecip1041block",
  "atlantisblock",
  "aghartablock",
  "phoenixblock",
  "thanosblock",
  "magnetoblock",
  "mystiqueblock",
  "spiralblock",
];

/** Which rules hold at which block. */
export class ForkSchedule {
  /** In the order of the rule sets; forks that a later one implies may be missing. */
  readonly activations: readonly Activation[];

  constructor(activations: readonly Activation[]) {
    this.activations = [...activations].sort(
      (a, b) => FORKS.indexOf(a.fork) - FORKS.indexOf(b.fork),
    );
  }

  /** The latest rule set that has begun; a file that names only late forks implies the earlier ones. */
  at(point: ForkPoint): Fork {
    return (
      this.activations.findLast((activation) => hasBegun(activation, point))?.fork ?? "frontier"
    );
  }

  /** Do the rules of a fork hold there? */
  isActive(fork: Fork, point: ForkPoint): boolean {
    return FORKS.indexOf(this.at(point)) >= FORKS.indexOf(fork);
  }
}

/** Reads the forks of a genesis file's `config`; an error names the key. */
export function readForks(config: object): ForkSchedule {
  const activations: Activation[] = [];
  for (const [key, value] of Object.entries(config)) {
    const name = key.toLowerCase();
    if (FOREIGN_KEYS.includes(name))
      throw forkError(key, "is a fork of Ethereum Classic, which is not served");
    const byBlock = BLOCK_KEYS[name];
    const byTime = TIME_KEYS[name];
    if (value === null) continue;
    if (byBlock !== undefined)
      activations.push({ fork: byBlock, by: "block", value: readNumber(key, value) });
    if (byTime !== undefined)
      activations.push({ fork: byTime, by: "time", value: readNumber(key, value) });
  }
  return new ForkSchedule(activations);
}

function hasBegun({ by, value }: Activation, { number, timestamp }: ForkPoint): boolean {
  return value <= (by === "block" ? number : timestamp);
}

function readNumber(key: string, value: unknown): bigint {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  if (typeof value === "string" && /^(\d+|0x[0-9a-f]+)$/i.test(value)) return BigInt(value);
  throw forkError(key, `is ${JSON.stringify(value)}; expected a whole number, decimal or hex`);
}

function forkError(key: string, problem: string): ConfigError {
  return new ConfigError("GENESIS_INVALID", {
    message: `Unable to load genesis file. config.${key} ${problem}`,
    key,
  });
}
