import { option } from "@plinth/core";

/** Options of the server of snapshots. */
export const options = {
  snapshotServeEnabled: option.flag({ summary: "Serves snapshots over HTTP." }),
  snapshotServeHost: option.host({
    summary: "Address to serve snapshots on.",
    default: "127.0.0.1",
    needs: "snapshotServeEnabled",
  }),
  snapshotServePort: option.port({
    summary: "Port to serve snapshots on; 0 picks a free one.",
    default: 8580,
    needs: "snapshotServeEnabled",
  }),
  snapshotServePath: option.path({
    summary:
      "Folder whose folders are snapshots; by default the folder snapshots in the data folder.",
    needs: "snapshotServeEnabled",
  }),
  snapshotServeMaxConnections: option.integer({
    summary: "Maximum number of connections.",
    default: 16,
    min: 1,
    max: 10_000,
    needs: "snapshotServeEnabled",
  }),
  snapshotServeMaxRate: option.integer({
    summary: "Maximum number of kibibytes per second, of all connections together.",
    default: 32_768,
    min: 1,
    needs: "snapshotServeEnabled",
  }),
  snapshotServeTimeout: option.integer({
    summary: "Seconds after which a file that is still being sent is aborted.",
    default: 300,
    min: 1,
    max: 86_400,
    needs: "snapshotServeEnabled",
  }),
};
