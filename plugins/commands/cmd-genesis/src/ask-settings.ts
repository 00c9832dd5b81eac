import { resolve } from "node:path";
import type { CommandIo } from "@plinth/core";
import type { GenesisTemplate } from "@plinth/core/consensus";
import { DEFAULT_NETWORK } from "./default-network.js";

/** The settings given by flags. */
interface GivenSettings {
  readonly to: string | undefined;
  readonly engine: string | undefined;
  readonly nodes: number | undefined;
  readonly period: number | undefined;
  readonly chainId: number | undefined;
}

/** The settings with defaults filled in. */
interface CompleteSettings {
  readonly to: string | undefined;
  readonly engine: string;
  readonly nodes: number;
  readonly period: number;
  readonly chainId: number;
}

const NETWORK_FOLDER = "network";

/** Completes the settings: by prompts on a terminal, otherwise with defaults. */
export async function askSettings(
  given: GivenSettings,
  ask: CommandIo["ask"],
  templates: readonly Pick<GenesisTemplate, "engine">[],
): Promise<CompleteSettings> {
  if (ask === undefined) {
    const { to, engine, nodes, period, chainId } = given;
    return {
      to,
      engine: engine ?? DEFAULT_NETWORK.engine,
      nodes: nodes ?? DEFAULT_NETWORK.nodes,
      period: period ?? DEFAULT_NETWORK.period,
      chainId: chainId ?? DEFAULT_NETWORK.chainId,
    };
  }
  const engines = templates.map(({ engine }) => engine).join(", ");
  const engine =
    given.engine ??
    (await askText(ask, `Engine (${engines})`, DEFAULT_NETWORK.engine, (text) =>
      isEngine(text, templates),
    ));
  const nodes = given.nodes ?? (await askNumber(ask, "Validators", DEFAULT_NETWORK.nodes, 100));
  const period =
    given.period ?? (await askNumber(ask, "Seconds between blocks", DEFAULT_NETWORK.period));
  const chainId = given.chainId ?? (await askNumber(ask, "Chain id", DEFAULT_NETWORK.chainId));
  const to = given.to ?? resolve(await askText(ask, "Folder", NETWORK_FOLDER, () => true));
  return { engine, nodes, period, chainId, to };
}

async function askNumber(
  ask: NonNullable<CommandIo["ask"]>,
  question: string,
  usual: number,
  max = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  const isRight = (text: string) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= max;
  return Number(await askText(ask, question, String(usual), isRight));
}

/** Prompts until the input is valid; an empty one selects the default. */
async function askText(
  ask: NonNullable<CommandIo["ask"]>,
  question: string,
  usual: string,
  isRight: (text: string) => boolean,
): Promise<string> {
  for (;;) {
    const answer = (await ask(`${question} [${usual}]: `)).trim();
    if (answer === "") return usual;
    if (isRight(answer)) return answer;
  }
}

function isEngine(text: string, templates: readonly Pick<GenesisTemplate, "engine">[]): boolean {
  return templates.some(({ engine }) => engine === text.toLowerCase());
}
