import { ConfigError, type Finality } from "@plinth/core";

const NAMES: Readonly<Record<string, string>> = { SNAP: "Snap", CHECKPOINT: "Checkpoint" };

/** Refuses modes that Besu refuses on chains whose blocks are final at once. */
export function verifySyncMode(mode: string, finality: Finality): void {
  const name = NAMES[mode];
  if (name === undefined || finality !== "instant") return;
  throw new ConfigError("OPTION_INVALID", {
    message: `${name} sync can't be used with BFT networks`,
    option: "sync-mode",
    value: mode,
  });
}
