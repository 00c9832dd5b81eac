// Compiled, never run: the types of services for their users.
import { defineService, optional, type Resolved, type Service } from "./services.js";

interface Signers {
  at(number: bigint): readonly string[];
}

const Signers = defineService<Signers>("clique.signers");
const Size = defineService<number>("pool.size");
const dependencies = { signers: Signers, maybe: optional(Signers), size: Size };

type Found = Resolved<typeof dependencies>;

// A plain token provides the service, an optional one may be `undefined`.
holds<Same<Found["signers"], Signers>>();
holds<Same<Found["maybe"], Signers | undefined>>();
holds<Same<Found["size"], number>>();

// The names are those of the plugin, and no others exist.
holds<Same<keyof Found, "signers" | "maybe" | "size">>();
holds<Same<keyof Resolved<Record<never, never>>, never>>();

declare const found: Found;
// @ts-expect-error services are not the plugin's to replace
found.size = 5;
// @ts-expect-error an optional service may be missing
found.maybe.at(1n);
// @ts-expect-error a token stands for one type only
export const wrong: Service<string> = Size;

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function holds<T extends true>(): T | undefined {
  return undefined;
}
