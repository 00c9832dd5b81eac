// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {ERC1155Supply} from "@openzeppelin/contracts/token/ERC1155/extensions/ERC1155Supply.sol";

/// Items of many kinds.
contract Items is ERC1155Supply {
    constructor() ERC1155("ipfs://items/{id}") {}

    function make(address to, uint256[] calldata ids, uint256[] calldata amounts) external {
        _mintBatch(to, ids, amounts, "");
    }
}
