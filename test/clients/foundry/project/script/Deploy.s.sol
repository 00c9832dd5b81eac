// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {Token} from "../src/Token.sol";

/// The cheat codes that the script needs.
interface Vm {
    function startBroadcast() external;
    function stopBroadcast() external;
}

/// Deploys a token and sends some of it to a friend.
contract Deploy {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    address private constant FRIEND = 0x70997970C51812dc3A010C7d01b50e0d17dc79C8;

    function run() external returns (Token token) {
        vm.startBroadcast();
        token = new Token(1_000_000);
        token.transfer(FRIEND, 25);
        vm.stopBroadcast();
    }
}
