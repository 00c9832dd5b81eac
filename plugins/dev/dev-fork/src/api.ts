import { defineService, type Hash } from "@plinth/core";

export { cacheFolder } from "./cache/cache-folder.js";
export { type CachedFile, type CacheFilter, listCaches } from "./cache/list-caches.js";

/** The block of another network at which this chain begins. */
export interface DevFork {
  /** The origin of the address of the node, without its path, which may be secret. */
  readonly source: string;
  /** The chain id of the other network. */
  readonly chainId: bigint;
  /** Whether values are read from the node when they are needed; otherwise the whole state is here. */
  readonly isLazy: boolean;
  readonly block: { readonly number: bigint; readonly hash: Hash };
  /** The block that a reset of the chain makes the head: with the funds of the well-known accounts, if they needed any. */
  start(): Hash;
}

/** The fork, for plugins that reset the chain or describe it. */
export const devFork = defineService<DevFork>("dev-fork.fork", {
  hint: "@plinth/plugin-dev-fork",
});

export { CloneProgress } from "./clone/clone-progress.js";
export { CloneRefused } from "./clone/clone-refused.js";
export { offerClone } from "./clone/offer-clone.js";
export {
  isOfRemote,
  RemoteInconsistent,
  RemoteRefusal,
  RemoteUnreachable,
} from "./remote/errors.js";
export { headerMembers, toHeader } from "./remote/header-json.js";
export { parseHeaders, problemOfHeader } from "./remote/headers.js";
export {
  decodeSent,
  findRemoteBlock,
  type RemoteBlock,
  readChainId,
  readHeader,
} from "./remote/read-chain.js";
export { Remote, type RemoteCall, type RemoteLimits } from "./remote/remote.js";
export { problemOfUrl } from "./remote/url.js";
