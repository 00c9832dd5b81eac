import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CONFORMANCE } from "./conformance.js";

/** The state of an account in the format of the tests. */
export interface TestAccount {
  readonly balance: string;
  readonly nonce: string;
  readonly code: string;
  readonly storage: Readonly<Record<string, string>>;
}

/** A test of ethereum/tests that imports blocks. */
export interface BlockTest {
  /** The file below the folder of all tests, and the name of the test in it. */
  readonly name: string;
  readonly network: string;
  readonly pre: Readonly<Record<string, TestAccount>>;
  readonly genesisBlockHeader: Readonly<Record<string, string>>;
  readonly blocks: readonly TestBlock[];
  readonly lastblockhash: string;
  readonly postState?: Readonly<Record<string, TestAccount>> | null;
  readonly postStateHash?: string;
}

/** A block to import. */
export interface TestBlock {
  readonly rlp: string;
  readonly blockHeader?: object;
}

/** Reads the tests of a folder, in the order of file names. */
export function readBlockTests(folder: string): readonly BlockTest[] {
  const root = join(CONFORMANCE, "ethereum-tests", folder, "BlockchainTests");
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json"))
    .sort()
    .flatMap((file) => {
      const tests: Record<string, Omit<BlockTest, "name">> = JSON.parse(
        readFileSync(join(root, file), "utf8"),
      );
      return Object.entries(tests).map(([name, test]) => ({ ...test, name: `${file}: ${name}` }));
    });
}

/** Whether the block must be rejected. */
export function mustBeRefused(block: TestBlock): boolean {
  const isExpected = Object.keys(block).some((key) => key.startsWith("expectException"));
  return isExpected || block.blockHeader === undefined;
}
