import { method, t, toQuantity } from "@plinth/core";
import { NEWEST_FORK } from "@plinth/core/evm";
import type { DevHolder } from "../dev.js";

/** `anvil_nodeInfo`: a summary of the chain. */
export const nodeInfo = (holder: DevHolder) =>
  method({
    summary: "Describes the chain: its head, its hardfork and gas prices.",
    result: t.json,
    example: { params: [], result: { currentBlockNumber: "0x0", hardFork: NEWEST_FORK } },
    async handle() {
      const { blocks, chain, fork } = holder.current;
      const head = blocks.head();
      const { baseFeePerGas = 0n } = await blocks.next();
      return {
        currentBlockNumber: toQuantity(head.number),
        currentBlockTimestamp: Number(head.timestamp),
        currentBlockHash: head.hash,
        hardFork: blocks.forkAt(head),
        transactionOrder: "fees",
        environment: {
          baseFee: toQuantity(baseFeePerGas),
          chainId: Number(chain.chainId ?? 1n),
          gasLimit: toQuantity(head.gasLimit),
          gasPrice: toQuantity(baseFeePerGas),
        },
        forkConfig: {
          forkUrl: fork?.source ?? null,
          forkBlockNumber: fork === undefined ? null : Number(fork.block.number),
          forkRetryBackoff: null,
          // Whether roots and proofs are those of the whole state, or of what was written here.
          ...(fork === undefined ? {} : { stateRootCovers: fork.isLazy ? "written" : "all" }),
        },
      };
    },
  });

/** `anvil_metadata`, `hardhat_metadata`: the client and its chain. */
export const metadata = (holder: DevHolder) =>
  method({
    summary: "Names the client, the chain and its head.",
    result: t.json,
    example: { params: [], result: { clientVersion: "plinth/v0.1.0", chainId: 1337 } },
    handle() {
      const { blocks, chain, clientVersion, fork } = holder.current;
      const { number, hash } = blocks.head();
      return {
        clientVersion,
        chainId: Number(chain.chainId ?? 1n),
        instanceId: blocks.findHeader(0n)?.hash,
        latestBlockNumber: Number(number),
        latestBlockHash: hash,
        forkedNetwork:
          fork === undefined
            ? null
            : {
                chainId: Number(fork.chainId),
                forkBlockNumber: Number(fork.block.number),
                forkBlockHash: fork.block.hash,
              },
      };
    },
  });

/** `anvil_getGenesisTime`: the timestamp of block 0. */
export const getGenesisTime = (holder: DevHolder) =>
  method({
    summary: "Returns the time of block 0, in seconds.",
    result: t.json,
    example: { params: [], result: 1_700_000_000 },
    handle: () => Number(holder.current.blocks.findHeader(0n)?.timestamp ?? 0n),
  });
