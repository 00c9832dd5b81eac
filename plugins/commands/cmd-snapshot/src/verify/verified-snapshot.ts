import type { Manifest, SnapshotSource } from "@plinth/kit-snapshot";
import type { Progress } from "../progress.js";

/** A snapshot that is verified. */
export interface VerifiedSnapshot {
  readonly source: SnapshotSource;
  readonly manifest: Manifest;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}
