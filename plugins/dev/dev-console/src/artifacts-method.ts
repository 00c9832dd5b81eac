import { method, t } from "@plinth/core";
import type { ArtifactFiles } from "./abi/artifact-files.js";

/** `plinth_artifacts`: the contracts of the project that a development chain runs for. */
export const artifacts = (files: ArtifactFiles) =>
  method({
    summary:
      "Returns ABI and deployed code of the contracts in --abi, out and artifacts, at most 500.",
    result: t.json,
    example: {
      params: [],
      result: {
        contracts: { "out/Token.sol/Token.json": { Token: { abi: [], deployedBytecode: "0x" } } },
        omitted: 0,
      },
    },
    handle: () => files.listContracts(),
  });
