import { AccountsInMemory, type AllocFacts, checkChain, readGenesisHeader } from "@plinth/chain";
import type { Clock, Logger } from "@plinth/core";
import { ConfigError, loadCrypto } from "@plinth/core";
import { type GenesisFacts, type GenesisFinding, genesisChecks } from "@plinth/core/consensus";
import { type Genesis, overrideConfig, parseGenesis } from "@plinth/core/genesis";
import type { Contributions } from "@plinth/core/kernel";
import { findMember } from "@plinth/core/rules";
import { type ChosenEngine, chooseEngine } from "./choose-engine.js";
import { LateEngineChain } from "./engine-chain.js";

/** The inputs to check a file. */
interface CheckSettings {
  readonly origin: string;
  readonly contributions: Contributions;
  readonly clock: Clock;
}

/**
 * All findings about the JSON of a genesis file, errors first.
 *
 * What makes it unreadable is an error like any other; the rest is still checked.
 */
export async function checkGenesis(
  json: unknown,
  { origin, contributions, clock }: CheckSettings,
): Promise<readonly GenesisFinding[]> {
  await loadCrypto();
  const findings: GenesisFinding[] = [];
  const attempt = <T>(step: () => T): T | undefined => {
    try {
      return step();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      findings.push(toFinding(error, origin));
      return undefined;
    }
  };
  const genesis = attempt(() => parseGenesis(overrideConfig(json, new Map()), origin));
  const chosen =
    genesis && attempt(() => chooseEngine({ ...IDLE, ...genesis, clock, offered: contributions }));
  const found =
    genesis &&
    attempt(() => {
      const accounts = new AccountsInMemory(findMember(genesis.json, "alloc"), origin);
      return findInGenesis(genesis, { accounts, chosen, contributions, nowMs: clock.now() });
    });
  findings.push(...(found ?? []));
  return sorted(findings);
}

/** The inputs to the checks of a file. */
interface Checked {
  readonly accounts: AllocFacts;
  readonly chosen: Pick<ChosenEngine, "keys" | "engine" | "check"> | undefined;
  readonly contributions: Pick<Contributions, "list">;
  readonly nowMs: number;
}

/**
 * The findings of the core, of the engines and of other plugins; an error about an unreadable file
 * names the key.
 */
export function findInGenesis(
  genesis: Genesis,
  { accounts, chosen, contributions, nowMs }: Checked,
): readonly GenesisFinding[] {
  const { json, config, forks, chainId, origin } = genesis;
  const facts: GenesisFacts = {
    genesis: json,
    config,
    header: readGenesisHeader(json, { forks, origin }),
    forks,
    chainId,
    baseFee: forks.rules.baseFee,
    hasOwnTime: chosen?.engine.beginsNow !== true,
    engineKeys: chosen?.keys ?? [],
    accounts,
    nowSeconds: BigInt(Math.floor(nowMs / 1000)),
  };
  return [
    ...checkChain(facts, accounts.names),
    ...(chosen?.check(facts) ?? []),
    ...contributions.list(genesisChecks).flatMap((each) => each.check(facts)),
  ];
}

/** Throws if there are errors; logs the warnings. */
export function verifyFindings(
  findings: readonly GenesisFinding[],
  { origin, log }: { readonly origin: string; readonly log: Pick<Logger, "warn"> },
): void {
  const [first, ...more] = findings.filter(({ severity }) => severity === "error");
  if (first !== undefined) {
    throw new ConfigError("GENESIS_INVALID", {
      message: `Unable to load genesis file. ${origin}: ${[first, ...more].map(describe).join(". ")}`,
      key: first.key,
    });
  }
  for (const finding of findings) {
    if (finding.severity === "warning") log.warn(`${origin}: ${describe(finding)}`);
  }
}

function describe({ key, problem, fix }: GenesisFinding): string {
  return `${key} ${problem}${fix === undefined ? "" : `; ${fix}`}`;
}

/** The context of an engine that produces no blocks. */
const IDLE = {
  mining: { isEnabled: false, coinbase: undefined },
  key: undefined,
  chain: new LateEngineChain(),
};

/** A message starts with its key, as a rule, and states after a semicolon what is expected. */
function toFinding({ message, details }: ConfigError, origin: string): GenesisFinding {
  const text = message.replace("Unable to load genesis file. ", "").replace(`${origin}: `, "");
  const [, named, rest] = /^((?:config|alloc)\.[^\s:]+|extraData):? (.*)$/s.exec(text) ?? [];
  const [problem = "", ...expected] = (rest ?? text).split(/; (?=expected|only)/);
  const fix = expected.join("; ");
  return {
    severity: "error",
    key: named ?? (typeof details.key === "string" ? details.key : "genesis"),
    problem,
    ...(fix === "" ? {} : { fix }),
  };
}

const ORDER = ["error", "warning", "note"];

function sorted(findings: readonly GenesisFinding[]): readonly GenesisFinding[] {
  return [...findings].sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
}
