import { type Codec, DecodeError, RpcError, t } from "@plinth/core";

/** An amount in wei that a caller sets; what is wrong with it is told beside the text. */
export function readAmount(json: unknown, text: string): bigint {
  return readParam(t.wei, json, text);
}

/** A parameter whose fault is told beside the text. */
export function readParam<T>(codec: Codec<T>, json: unknown, text: string): T {
  try {
    return codec.decode(json);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new RpcError(-32602, text, error.message);
  }
}
