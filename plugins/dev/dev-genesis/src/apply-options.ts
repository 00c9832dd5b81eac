import type { OptionValues } from "@plinth/core";
import { deriveAccounts } from "./derive-accounts.js";
import type { options } from "./options.js";

type Values = OptionValues<typeof options>;

const USUAL_MNEMONIC = "test test test test test test test test test test test junk";
const USUAL_COUNT = 10;
const USUAL_ETHER = 10_000;
const WEI_PER_ETHER = 10n ** 18n;

/**
 * A genesis file with the options applied; `undefined` if there are none, or it is not a
 * development chain.
 */
export function applyOptions(genesis: object, values: Values): object | undefined {
  const config = Object(Reflect.get(genesis, "config"));
  const { accounts, balance, mnemonic, derivationPath, chainId, gasLimit, codeSizeLimit } = values;
  const isSilent = Object.values(values).every((value) => value === undefined);
  if (isSilent || !Object.hasOwn(config, "dev")) return undefined;
  const changesAccounts = [accounts, balance, mnemonic, derivationPath].some(
    (value) => value !== undefined,
  );
  return {
    ...genesis,
    config: {
      ...config,
      ...(chainId === undefined ? {} : { chainId }),
      ...(codeSizeLimit === undefined ? {} : { contractSizeLimit: codeSizeLimit }),
    },
    ...(gasLimit === undefined ? {} : { gasLimit: `0x${gasLimit.toString(16)}` }),
    ...(changesAccounts ? { alloc: replaceAccounts(genesis, values) } : {}),
  };
}

/** The accounts with keys are replaced by those of the mnemonic; contracts and others stay. */
function replaceAccounts(
  genesis: object,
  { accounts, balance, mnemonic, derivationPath }: Values,
): object {
  const alloc: object = Object(Reflect.get(genesis, "alloc"));
  const others = Object.entries(alloc).filter(
    ([, account]) => !Object.hasOwn(Object(account), "privateKey"),
  );
  const wei = BigInt(balance ?? USUAL_ETHER) * WEI_PER_ETHER;
  const words = (mnemonic ?? USUAL_MNEMONIC).trim().split(/\s+/).join(" ");
  const derived = deriveAccounts(words, accounts ?? USUAL_COUNT, derivationPath).map(
    ({ address, privateKey }) => [address, { balance: String(wei), privateKey }] as const,
  );
  return Object.fromEntries([...derived, ...others]);
}
