// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

/// The token of `npm run long -- bench-evm`. `token.json` has its code, of solc 0.8 with the optimizer (200 runs) for London.
contract Token {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function transfer(address to, uint256 value) external returns (bool) {
        require(to != address(0), "to");
        uint256 has = balanceOf[msg.sender];
        require(has >= value, "balance");
        unchecked { balanceOf[msg.sender] = has - value; }
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}
