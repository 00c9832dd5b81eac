import { RpcError } from "@plinth/core";
import type { ChangeStream } from "../service.js";

/** Returns the stream of the node; throws the error for callers if it has none. */
export type FindStream = () => ChangeStream;

/** Finds the stream once it is open. */
export function findIn(opened: { readonly stream: ChangeStream | undefined }): FindStream {
  return () => {
    if (opened.stream !== undefined) return opened.stream;
    throw RpcError.methodNotEnabled("--changes-enabled is not set");
  };
}
