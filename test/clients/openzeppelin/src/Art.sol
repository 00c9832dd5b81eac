// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721URIStorage} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721URIStorage.sol";

/// Works of art that anyone may make.
contract Art is ERC721URIStorage {
    uint256 public count;

    constructor() ERC721("Art", "ART") {}

    function make(address to, string calldata uri) external returns (uint256 id) {
        id = ++count;
        _safeMint(to, id);
        _setTokenURI(id, uri);
    }
}
