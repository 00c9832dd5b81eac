import { type Block, transactionsRoot, unclesHash, withdrawalsRoot } from "../../blocks/block.js";
import { InvalidBlock } from "../errors.js";

/** Throws unless the header commits to exactly this body. */
export function verifyBody({ header, body }: Block): void {
  const { number } = header;
  const verify = (rule: string, found: unknown, said: unknown) => {
    if (found === said) return;
    throw new InvalidBlock(rule, `block ${number}: ${rule} is ${said}, its body has ${found}`);
  };
  verify("transactions-root", transactionsRoot(body.transactions), header.transactionsRoot);
  verify("uncles-hash", unclesHash(body.uncles), header.unclesHash);
  const withdrawals =
    body.withdrawals === undefined ? undefined : withdrawalsRoot(body.withdrawals);
  verify("withdrawals-root", withdrawals, header.withdrawalsRoot);
}
