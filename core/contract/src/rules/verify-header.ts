import { InvalidBlock } from "../blocks/errors.js";
import type { Header, SealedHeader } from "../blocks/header.js";
import { MAX_GAS_LIMIT, MIN_GAS_LIMIT } from "../blocks/limits.js";
import { nextBaseFee } from "./base-fee.js";

/** What the rules of a header depend on besides its parent. */
export interface HeaderRules {
  /** Whether blocks have a base fee (EIP-1559). */
  readonly hasBaseFee: boolean;
  /** The base fee may have any value, but must be present. */
  readonly takesAnyBaseFee: boolean;
  /** The gas limit may differ from the parent's by any amount. */
  readonly takesAnyGasLimit?: boolean;
  /** The base fee of the first block that has one. */
  readonly firstBaseFee?: bigint | undefined;
}

/** A block changes the gas limit by less than this fraction of its parent's. */
const GAS_LIMIT_SHARE = 1024n;
/** The first block with a base fee has a gas limit this much higher (EIP-1559). */
const ELASTICITY = 2n;

/** Throws if a header breaks a rule of every chain: number, gas and base fee. */
export function verifyHeader(header: SealedHeader, parent: SealedHeader, rules: HeaderRules): void {
  verifyNumber(header, parent);
  verifyGas(header, parent, rules);
  verifyBaseFee(header, parent, rules);
}

/** The reference gas limit of the next block; `hasBaseFee` is about that block. */
export function expectedGasLimit(parent: Header, hasBaseFee: boolean): bigint {
  const isFirst = hasBaseFee && parent.baseFeePerGas === undefined;
  return isFirst ? parent.gasLimit * ELASTICITY : parent.gasLimit;
}

function verifyNumber({ number }: Header, parent: Header): void {
  if (number === parent.number + 1n) return;
  throw new InvalidBlock("number", `block ${number} does not follow block ${parent.number}`);
}

function verifyGas(
  { number, gasUsed, gasLimit }: Header,
  parent: Header,
  { hasBaseFee, takesAnyGasLimit = false }: HeaderRules,
): void {
  const expected = expectedGasLimit(parent, hasBaseFee);
  const change = gasLimit > expected ? gasLimit - expected : expected - gasLimit;
  const isClose = takesAnyGasLimit || change < expected / GAS_LIMIT_SHARE;
  if (!isClose || gasLimit < MIN_GAS_LIMIT || gasLimit > MAX_GAS_LIMIT) {
    throw new InvalidBlock(
      "gas-limit",
      `block ${number}: a gas limit of ${gasLimit} is too far from ${expected}, too low or too high`,
    );
  }
  if (gasUsed > gasLimit) {
    throw new InvalidBlock("gas-used", `block ${number} used ${gasUsed} gas of ${gasLimit}`);
  }
}

function verifyBaseFee(
  { number, baseFeePerGas }: Header,
  parent: Header,
  { hasBaseFee, takesAnyBaseFee, firstBaseFee }: HeaderRules,
): void {
  const isWrong = (problem: string) =>
    new InvalidBlock("base-fee", `block ${number}: its base fee ${problem}`);
  if (!hasBaseFee && baseFeePerGas === undefined) return;
  if (!hasBaseFee) throw isWrong("is too early");
  if (baseFeePerGas === undefined) throw isWrong("is missing");
  if (takesAnyBaseFee) return;
  const expected = firstBaseFee ?? nextBaseFee(parent);
  if (baseFeePerGas !== expected) throw isWrong(`is ${baseFeePerGas}, not ${expected}`);
}
