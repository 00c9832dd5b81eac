import { option } from "@plinth/core";
import { SignedFile } from "./signed-file.js";

/** The option with which an operator lets a signer sign again. */
export function signFromOption(signer: string) {
  return option.integer({
    min: 1,
    summary: `Lets ${signer} sign from this block on, whatever it has signed before; it signs nothing below it. For a chain that all of them have rewound.`,
  });
}

/** The record beside the database of how far this node has signed, and the operator's override. */
export interface Signing {
  readonly file: SignedFile;
  /** The operator lets the node sign from this block on, whatever it has signed before. */
  readonly signFrom: bigint | undefined;
  /** The name of that option. */
  readonly option: string;
}

/** The file and the option of an engine, both named after it. */
export function createSigning(engine: string, signFrom: number | undefined): Signing {
  return {
    file: new SignedFile(`signed-${engine}.json`),
    signFrom: signFrom === undefined ? undefined : BigInt(signFrom),
    option: `--${engine}-sign-from`,
  };
}
