import { realpath } from "node:fs/promises";
import { PlinthError } from "@plinth/core";
import { printable } from "@plinth/kit-rpc";
import {
  type AccessFlags,
  ask,
  findAccess,
  NodeUnreachable,
  Refusal,
} from "@plinth/plugin-cmd-status/api";
import { type DiskReport, diskReport } from "@plinth/plugin-disk-usage/api";

/** Ways to make a node report its disk usage. */
const ADVICE =
  "Start it with --rpc-http-enabled and PLINTH in --rpc-http-api, or with --Xrpc-ipc-enabled and PLINTH in --Xrpc-ipc-api; name its address with --url; or stop it to read its folder";

/** Which node is asked, and for which folder. */
export interface AskedNode {
  readonly flags: AccessFlags;
  readonly dataPath: string;
  readonly signal: AbortSignal;
}

/** The report of the node at `--url`, otherwise of the one that uses the data folder. */
export async function askReport({ flags, dataPath, signal }: AskedNode): Promise<DiskReport> {
  const access = await findAccess(flags, dataPath);
  const report = await askAt({ ...access, signal });
  if (flags.url !== undefined) return report;
  const folder = await realpath(dataPath);
  if (report.dataPath === folder) return report;
  // A node without a listener; another one has the default port.
  throw new PlinthError("NODE_SILENT", {
    message: `a node uses ${folder}, but the one at ${access.url} uses ${printable(report.dataPath)}. ${ADVICE}`,
  });
}

async function askAt(asked: Parameters<typeof ask>[0]): Promise<DiskReport> {
  try {
    return await ask(asked, "plinth_disk", diskReport);
  } catch (error) {
    if (!(error instanceof NodeUnreachable)) throw error;
    const code = error instanceof Refusal ? "NODE_REFUSED" : "NODE_SILENT";
    throw new PlinthError(code, {
      message: `the node at ${asked.url} does not report its disk usage: ${printable(error.message)}. ${ADVICE}`,
      cause: error,
    });
  }
}
