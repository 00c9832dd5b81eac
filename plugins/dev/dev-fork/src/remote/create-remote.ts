import type { OptionValues } from "@plinth/core";
import type { options } from "../options.js";
import { parseHeaders } from "./headers.js";
import { Remote, type RemoteLimits } from "./remote.js";

type Values = Pick<OptionValues<typeof options>, "forkUrl" | "forkHeader">;

/** The node of the options; `undefined` without one. */
export function createRemote(
  { forkUrl, forkHeader }: Values,
  limits: Partial<RemoteLimits> = {},
): Remote | undefined {
  return forkUrl === undefined
    ? undefined
    : new Remote({ url: forkUrl, headers: parseHeaders(forkHeader), limits });
}
