import { createEntry, type Entry } from "./entry.js";
import type { Parameter } from "./parameter.js";

/** Functions, events and errors of common standards, one per line. */
const LINES = `
view name() string
view symbol() string
view decimals() uint8
view totalSupply() uint256
view balanceOf(address account) uint256
view allowance(address owner, address spender) uint256
transfer(address to, uint256 amount) bool
approve(address spender, uint256 amount) bool
transferFrom(address from, address to, uint256 amount) bool
increaseAllowance(address spender, uint256 addedValue) bool
decreaseAllowance(address spender, uint256 subtractedValue) bool
mint(address to, uint256 amount)
burn(uint256 amount)
burnFrom(address account, uint256 amount)
event Transfer(address indexed from, address indexed to, uint256 value)
event Approval(address indexed owner, address indexed spender, uint256 value)
error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)
error ERC20InvalidSender(address sender)
error ERC20InvalidReceiver(address receiver)
error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)
error ERC20InvalidApprover(address approver)
error ERC20InvalidSpender(address spender)
view ownerOf(uint256 tokenId) address
view tokenURI(uint256 tokenId) string
view getApproved(uint256 tokenId) address
view isApprovedForAll(address owner, address operator) bool
setApprovalForAll(address operator, bool approved)
safeTransferFrom(address from, address to, uint256 tokenId)
safeTransferFrom(address from, address to, uint256 tokenId, bytes data)
safeMint(address to, uint256 tokenId)
event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)
event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)
event ApprovalForAll(address indexed owner, address indexed operator, bool approved)
error ERC721InvalidOwner(address owner)
error ERC721NonexistentToken(uint256 tokenId)
error ERC721IncorrectOwner(address sender, uint256 tokenId, address owner)
error ERC721InvalidSender(address sender)
error ERC721InvalidReceiver(address receiver)
error ERC721InsufficientApproval(address operator, uint256 tokenId)
error ERC721InvalidApprover(address approver)
error ERC721InvalidOperator(address operator)
view balanceOf(address account, uint256 id) uint256
view balanceOfBatch(address[] accounts, uint256[] ids) uint256[]
view uri(uint256 id) string
safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)
safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data)
event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)
event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)
event URI(string value, uint256 indexed id)
error ERC1155InsufficientBalance(address sender, uint256 balance, uint256 needed, uint256 tokenId)
error ERC1155InvalidSender(address sender)
error ERC1155InvalidReceiver(address receiver)
error ERC1155MissingApprovalForAll(address operator, address owner)
view supportsInterface(bytes4 interfaceId) bool
view owner() address
transferOwnership(address newOwner)
renounceOwnership()
event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)
error OwnableUnauthorizedAccount(address account)
error OwnableInvalidOwner(address owner)
view hasRole(bytes32 role, address account) bool
grantRole(bytes32 role, address account)
revokeRole(bytes32 role, address account)
renounceRole(bytes32 role, address account)
event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)
event RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender)
error AccessControlUnauthorizedAccount(address account, bytes32 neededRole)
permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
view nonces(address owner) uint256
view DOMAIN_SEPARATOR() bytes32
error ERC2612ExpiredSignature(uint256 deadline)
error ERC2612InvalidSigner(address signer, address owner)
view isValidSignature(bytes32 hash, bytes signature) bytes4
view asset() address
view totalAssets() uint256
deposit(uint256 assets, address receiver) uint256
withdraw(uint256 assets, address receiver, address owner) uint256
redeem(uint256 shares, address receiver, address owner) uint256
event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)
event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)
payable deposit()
withdraw(uint256 amount)
event Deposit(address indexed account, uint256 amount)
event Withdrawal(address indexed account, uint256 amount)
pause()
unpause()
view paused() bool
event Paused(address account)
event Unpaused(address account)
error EnforcedPause()
error ExpectedPause()
upgradeTo(address newImplementation)
payable upgradeToAndCall(address newImplementation, bytes data)
view proxiableUUID() bytes32
event Upgraded(address indexed implementation)
event AdminChanged(address previousAdmin, address newAdmin)
event Initialized(uint64 version)
error InvalidInitialization()
error NotInitializing()
error ReentrancyGuardReentrantCall()
error SafeERC20FailedOperation(address token)
error Error(string reason)
error Panic(uint256 code)
multicall(bytes[] data) bytes[]
`;

/** The entries of the common standards. */
export function standardEntries(): readonly Entry[] {
  return LINES.trim().split("\n").flatMap(parseLine);
}

function parseLine(line: string): readonly Entry[] {
  const match = /^(?:(event|error|view|payable) )?(\w+)\((.*)\)(?: (\S+))?$/.exec(line);
  if (match === null) return [];
  const [, word, name = "", inputs = "", output] = match;
  const kind = word === "event" || word === "error" ? word : "function";
  const mutability = word === "view" || word === "payable" ? word : "nonpayable";
  const outputs = output === undefined ? [] : [{ name: "", type: output, components: [] }];
  return [createEntry(kind, name, { inputs: parseList(inputs), outputs, mutability })];
}

function parseList(list: string): readonly Parameter[] {
  if (list === "") return [];
  return list.split(", ").map((item) => {
    const [type = "", ...rest] = item.split(" ");
    return { type, name: rest.at(-1) ?? "", indexed: rest[0] === "indexed", components: [] };
  });
}
