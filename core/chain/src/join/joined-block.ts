import { type Header, InvalidBlock } from "@plinth/core";
import { receiptsRoot } from "@plinth/core/blocks";
import { type JoinedBlock, JoinRefused } from "@plinth/core/chain";
import { verifyBodyInTurns } from "@plinth/core/rules";

/** Throws `JoinRefused` unless a header commits to a body and receipts. */
export async function verifyJoinedBlock(
  header: Header,
  { body, receipts }: JoinedBlock,
): Promise<void> {
  try {
    await verifyBodyInTurns({ header, body });
  } catch (error) {
    throw error instanceof InvalidBlock ? new JoinRefused(error.message, error) : error;
  }
  const root = receiptsRoot(receipts);
  if (root === header.receiptsRoot) return;
  throw new JoinRefused(
    `block ${header.number}: its receipts have the root ${root}, expected ${header.receiptsRoot}`,
  );
}
