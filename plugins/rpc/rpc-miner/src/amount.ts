import { type Codec, DecodeError, RpcError, t } from "@plinth/core";

/** An amount in wei from a caller; if it is invalid, the error has this text and the reason. */
export function readAmount(json: unknown, text: string): bigint {
  return readParam(t.wei, json, text);
}

/** A parameter; if it is invalid, the error has this text and the reason. */
export function readParam<T>(codec: Codec<T>, json: unknown, text: string): T {
  try {
    return codec.decode(json);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new RpcError(-32602, text, error.message);
  }
}
