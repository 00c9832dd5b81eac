// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";

/// Remembers who has signed in, for an hour.
contract SignIn is EIP712 {
    error Expired(uint256 until);
    error WrongSigner(address signer);

    bytes32 private constant SESSION = keccak256("Session(address user,uint256 until)");

    mapping(address user => uint256 until) public sessions;

    constructor() EIP712("SignIn", "1") {}

    /// With a message in words, as `personal_sign` signs it.
    function withMessage(address user, string calldata message, bytes calldata signature) external {
        bytes32 hash = MessageHashUtils.toEthSignedMessageHash(bytes(message));
        begin(user, ECDSA.recover(hash, signature), block.timestamp + 1 hours);
    }

    /// With typed data, as `eth_signTypedData_v4` signs it.
    function withTypedData(address user, uint256 until, bytes calldata signature) external {
        bytes32 hash = _hashTypedDataV4(keccak256(abi.encode(SESSION, user, until)));
        begin(user, ECDSA.recover(hash, signature), until);
    }

    function isIn(address user) external view returns (bool) {
        return sessions[user] > block.timestamp;
    }

    function begin(address user, address signer, uint256 until) private {
        if (until <= block.timestamp) revert Expired(until);
        if (signer != user) revert WrongSigner(signer);
        sessions[user] = until;
    }
}
