import { option } from "@plinth/core";
import { SignedFile } from "./signed-file.js";

/** The option with which an operator lets a signer sign again. */
export function signFromOption(signer: string) {
  return option.integer({
    min: 1,
    summary: `Lets ${signer} sign from this block on, whatever it has signed before; below it signs nothing. For a chain that all of them have moved back.`,
  });
}

/** Where an engine keeps how far this node has signed, beside its database, and what the operator says about it. */
export interface Signing {
  readonly file: SignedFile;
  /** The operator lets the node sign from this block on, whatever it has signed before. */
  readonly signFrom: bigint | undefined;
  /** The name of that option. */
  readonly option: string;
}

/** The file and the option of an engine, which both have its name. */
export function createSigning(engine: string, signFrom: number | undefined): Signing {
  return {
    file: new SignedFile(`signed-${engine}.json`),
    signFrom: signFrom === undefined ? undefined : BigInt(signFrom),
    option: `--${engine}-sign-from`,
  };
}
