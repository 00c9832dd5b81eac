import { type CommandIo, ConfigError, toHex } from "@plinth/core";
import { type ExtraDataCodec, findNamedEngines, type NamedEngines } from "@plinth/core/consensus";
import type { NodeKeys } from "./key-pairs.js";
import { isExtraData, type NetworkInput } from "./read-input.js";

/** Engines and codecs of loaded plugins, and the output. */
export interface EncodingParts {
  readonly engines: NamedEngines["served"];
  readonly codecs: readonly ExtraDataCodec[];
  readonly io: CommandIo;
}

/**
 * The extra data of the engine that the file names; `undefined` if it names none, or one without a
 * codec.
 */
export async function encodeExtraData(
  { config, genesis }: NetworkInput,
  keys: readonly NodeKeys[],
  { engines, codecs, io }: EncodingParts,
): Promise<string | undefined> {
  const { served, unknown } = findNamedEngines(config, engines);
  if (served.length === 0 && unknown.length > 0) throw unserved(unknown);
  const codec = served
    .map(({ key }) => codecs.find(({ engine }) => engine === key))
    .find((each) => each !== undefined);
  if (codec === undefined) {
    if (served.length > 0 && !genesis.some(isExtraData)) io.warn(withoutCodec(served));
    return undefined;
  }
  await io.write(`Generating ${codec.type.replace(/_EXTRA_DATA$/, "")} extra data.`);
  return toHex(codec.encodeGenesis(keys.map(({ address }) => address)));
}

function unserved(keys: readonly string[]): ConfigError {
  return new ConfigError("ENGINE_UNKNOWN", {
    message: `no loaded plugin supports ${keys.join(", ")}, which the config file names`,
    named: keys,
  });
}

function withoutCodec(engines: NamedEngines["served"]): string {
  const keys = engines.map(({ key }) => key).join(", ");
  return `Warning: the genesis file has no extraData with the validators: no loaded plugin writes it for ${keys}. Add it by hand if the engine reads its validators there.`;
}
