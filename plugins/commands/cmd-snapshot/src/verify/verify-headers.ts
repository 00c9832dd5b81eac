import {
  type ConsensusEngine,
  InvalidBlock,
  PlinthError,
  type SealedHeader,
  yieldToLoop,
} from "@plinth/core";
import { sealHeader } from "@plinth/core/blocks";
import type { HeaderTrust } from "@plinth/core/consensus";
import { decodeHeaders, filesOf, MANIFEST, SnapshotError } from "@plinth/kit-snapshot";
import type { VerifiedSnapshot } from "./verified-snapshot.js";

/** The chain that a snapshot must be of. */
export interface ExpectedChain {
  readonly engine: ConsensusEngine;
  readonly genesis: SealedHeader;
  readonly trust: HeaderTrust;
}

/** Throws unless the headers of a snapshot prove the block of its manifest. */
export async function verifyHeaders(
  { source, manifest, progress, signal }: VerifiedSnapshot,
  { engine, genesis, trust }: ExpectedChain,
): Promise<void> {
  const { block, genesisHash } = manifest;
  if (genesisHash !== genesis.hash) {
    throw invalid(
      MANIFEST,
      `block 0 is ${genesisHash}, that of the genesis file is ${genesis.hash}`,
    );
  }
  const proof = engine.proveHeaders?.(genesis, trust);
  if (proof === undefined) {
    throw new PlinthError("SNAPSHOT_REFUSED", {
      message:
        "the headers of this chain do not prove its states: snapshots need IBFT 2.0, QBFT or Clique",
    });
  }
  const files = filesOf(manifest, "headers");
  for (const [index, file] of files.entries()) {
    for (const header of decodeHeaders(await source.read(file, { signal }), file)) {
      const sealed = sealHeader(header, engine.hashHeader(header));
      verifyPlace(sealed, manifest, file.name);
      try {
        if (sealed.number > 0n) await proof.add(sealed);
      } catch (error) {
        throw named(error, file.name);
      }
    }
    progress.show("headers", (index + 1) / files.length);
    await yieldToLoop();
  }
  const proven = await proof.finish().catch((error: unknown) => {
    throw named(error, files.at(-1)?.name ?? MANIFEST);
  });
  if (proven < block.number) {
    throw invalid(
      MANIFEST,
      `its headers prove the blocks up to ${proven}, not block ${block.number}`,
    );
  }
}

/** Block 0 and the block of the snapshot are those of the manifest. */
function verifyPlace(
  { number, hash, stateRoot }: SealedHeader,
  { block, genesisHash }: VerifiedSnapshot["manifest"],
  name: string,
): void {
  if (number === 0n && hash !== genesisHash) {
    throw invalid(name, `block 0 is ${hash}, the manifest has ${genesisHash}`);
  }
  if (number !== block.number) return;
  if (hash !== block.hash)
    throw invalid(name, `block ${number} is ${hash}, the manifest has ${block.hash}`);
  if (stateRoot !== block.stateRoot) {
    throw invalid(
      name,
      `block ${number} has the state root ${stateRoot}, the manifest has ${block.stateRoot}`,
    );
  }
}

function named(error: unknown, name: string): unknown {
  return error instanceof InvalidBlock ? invalid(name, error.message, error) : error;
}

function invalid(name: string, reason: string, cause?: unknown): SnapshotError {
  return new SnapshotError("SNAPSHOT_INVALID", { message: `${name}: ${reason}`, name, cause });
}
