import { method, RpcError, t } from "@plinth/core";
import { MAX_UINT64 } from "@plinth/core/blocks";
import { amount, amountUpTo } from "../amount.js";
import type { DevHolder } from "../dev.js";

const MIN_GAS_LIMIT = 5000n;

/** `hardhat_setNextBlockBaseFeePerGas`: sets the base fee of the next block. */
export const setNextBlockBaseFeePerGas = (holder: DevHolder) =>
  method({
    summary: "Sets the base fee of the next block.",
    params: { baseFee: amount },
    result: t.boolean,
    example: { params: ["0x3b9aca00"], result: true },
    handle({ baseFee }) {
      const { dev } = holder.current;
      dev.nextBlockOverrides = { ...dev.nextBlockOverrides, baseFeePerGas: baseFee };
      return true;
    },
  });

/** `evm_setBlockGasLimit`: sets the gas limit from the next block on. */
export const setBlockGasLimit = (holder: DevHolder) =>
  method({
    summary: "Sets the gas limit from the next block on.",
    params: { gasLimit: amountUpTo(MAX_UINT64 / 2n) },
    result: t.boolean,
    example: { params: ["0x1c9c380"], result: true },
    handle({ gasLimit }) {
      if (gasLimit < MIN_GAS_LIMIT) {
        throw RpcError.invalidParams(`gasLimit: ${gasLimit}, at least ${MIN_GAS_LIMIT}`);
      }
      const { dev } = holder.current;
      dev.nextBlockOverrides = { ...dev.nextBlockOverrides, gasLimit };
      return true;
    },
  });

/** `hardhat_setCoinbase`: sets the fee recipient from the next block on. */
export const setCoinbase = (holder: DevHolder) =>
  method({
    summary: "Sets the coinbase from the next block on.",
    params: { coinbase: t.address },
    result: t.boolean,
    example: { params: ["0x00000000000000000000000000000000000000b0"], result: true },
    handle({ coinbase }) {
      const { dev } = holder.current;
      dev.nextBlockOverrides = { ...dev.nextBlockOverrides, coinbase };
      return true;
    },
  });

/** `hardhat_setPrevRandao`: sets the random value of the next block. */
export const setPrevRandao = (holder: DevHolder) =>
  method({
    summary: "Sets the random value of the next block (PREVRANDAO).",
    params: { prevRandao: amount },
    result: t.boolean,
    example: { params: [`0x${"ab".repeat(32)}`], result: true },
    handle({ prevRandao }) {
      const { dev } = holder.current;
      const word = `0x${prevRandao.toString(16).padStart(64, "0")}` as const;
      dev.nextBlockOverrides = { ...dev.nextBlockOverrides, prevRandao: word };
      return true;
    },
  });
