/** The characters of a script in its two tables, in the order of their codes (annex A). */
export interface NationalScript {
  /** Code points in hexadecimal; 20 for a code without a character. */
  readonly locking: string
  readonly single: string
}

/**
 * The scripts whose tables share the frame of national-tables.ts, by language. The letters are
 * those of the Unicode block in its order, except in Urdu.
 */
export const nationalScripts = {
  bengali: {
    locking:
      '981-983 985-98c 20 20 98f-990 20 20 993-9a8 20 9aa-9b0 20 9b2 20 20 20 9b6-9b9 9bc-9c4 ' +
      '20 20 9c7-9c8 20 20 9cb-9ce 9d7 9dc-9dd 9f0-9f1',
    single: '9e6-9ef 9df-9e3 9f2-9fa',
  },
  gujarati: {
    locking:
      'a81-a83 a85-a8d 20 a8f-a91 20 a93-aa8 20 aaa-ab0 20 ab2-ab3 20 ab5-ab9 abc-ac5 ' +
      '20 ac7-ac9 20 acb-acd ad0 ae0-ae3 af1',
    single: '964-965 ae6-aef',
  },
  hindi: {
    locking: '901-903 905-939 93c-94d 950 972 97b-97c 97e-97f',
    single: '964-96f 951-954 958-963 970-971',
  },
  kannada: {
    locking:
      '20 c82-c83 c85-c8c 20 c8e-c90 20 c92-ca8 20 caa-cb3 20 cb5-cb9 cbc-cc4 20 cc6-cc8 ' +
      '20 cca-ccd cd5-cd6 ce0-ce3',
    single: '964-965 ce6-cef cde cf1-cf2',
  },
  malayalam: {
    locking:
      '20 d02-d03 d05-d0c 20 d0e-d10 20 d12-d28 20 d2a-d39 20 d3d-d44 20 d46-d48 20 d4a-d4d ' +
      'd57 d60-d63 d79',
    single: '964-965 d66-d75 d7a-d7f',
  },
  oriya: {
    locking:
      'b01-b03 b05-b0c 20 20 b0f-b10 20 20 b13-b28 20 b2a-b30 20 b32-b33 20 b35-b39 b3c-b44 ' +
      '20 20 b47-b48 20 20 b4b-b4d b56-b57 b60-b63',
    single: '964-965 b66-b6f b5c-b5d b5f b70-b71',
  },
  punjabi: {
    locking:
      'a01-a03 a05-a0a 20 20 20 20 a0f-a10 20 20 a13-a28 20 a2a-a30 20 a32-a33 20 a35-a36 ' +
      '20 a38-a39 a3c 20 a3e-a42 20 20 20 20 a47-a48 20 20 a4b-a4d a51 a70-a74',
    single: '964-965 a66-a6f a59-a5c a5e a75',
  },
  tamil: {
    locking:
      '20 b82-b83 b85-b8a 20 20 20 b8e-b90 20 b92-b95 20 20 20 b99-b9a 20 b9c 20 b9e-b9f ' +
      '20 20 20 ba3-ba4 20 20 20 ba8-baa 20 20 20 bae-bb9 20 20 bbe-bc2 20 20 20 bc6-bc8 ' +
      '20 bca-bcd bd0 bd7 bf0-bf2 bf9',
    single: '964-965 be6-bef bf3-bf8 bfa',
  },
  telugu: {
    locking:
      'c01-c03 c05-c0c 20 c0e-c10 20 c12-c28 20 c2a-c33 20 c35-c39 20 c3d-c44 20 c46-c48 ' +
      '20 c4a-c4d c55-c56 c60-c63',
    single: '20 20 c66-c6f c58-c59 c78-c7f',
  },
  urdu: {
    locking:
      '627 622 628 67b 680 67e 6a6 62a 6c2 67f 679 67d 67a 67c 62b-62c 681 684 683 685-687 ' +
      '62d-62f 68c 688-68a 68f 68d 630-631 691 693 699 632 696 698 69a 633-639 641-642 6a9-6ab ' +
      '6af 6b3 6b1 644-646 6ba-6bc 648 6c4 6d5 6c1 6be 621 6cc 6d0 6d2 64d 650 64f 657 654-655 ' +
      '651 653 656 670',
    single: '600-601 6f0-6f9 60c-614 61b 61f 640 652 658 66b-66c 672-673 6cd 6d4',
  },
} as const satisfies Readonly<Record<string, NationalScript>>
