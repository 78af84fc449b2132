import { sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Kind } from '../../../packages/server/src/platform/access/access.ts';
import { kindNames } from '../../../packages/server/src/platform/access/kinds.ts';
import { type Contract, contractOf, type Field, kindOf, mayReveal, rolesOf, scopesOf } from './contract-calls.ts';

let contract: Contract;
beforeAll(async () => {
  contract = await contractOf(await sharedServer());
});

const takesNull = ({ schema }: Field): boolean =>
  schema.type === 'null' ||
  [schema.type].flat().includes('null') ||
  (schema.anyOf ?? []).some(({ type }) => type === 'null');

/** Fields that are called as if they had somebody's data. */
const NAMED: Record<Kind, RegExp> = {
  people: /^(email|first_name|last_name|recipient)$/,
  codes: /^(code|codes|serial|serial_code)$/,
};
/** The meaning of such a name in other schemas. */
const others: Record<string, string> = {
  'Me.*': 'one’s own account',
  'AccountSettings.*': 'one’s own account',
  'ResellerSettings.*': 'one’s own account',
  'Invoice.*': 'one’s own account',
  'Reseller.*': 'a partner',
  'ResellerProfile.*': 'a partner',
  'ReceivedInvite.*': 'a partner',
  'SentInvite.*': 'a partner',
  'InvitesSent.*': 'a partner',
  'PayoutDetail.*': 'a partner',
  'SearchResult.*': 'looked for only with the scope of its kind',
  'Standing.code': 'a word for how it stands',
  'Finding.code': 'a word for how it stands',
  'SerialStanding.code': 'a word for how it stands',
  'PayoutTransaction.code': 'the end of a code',
};
const isOther = ({ owner, name }: Field) => `${owner}.${name}` in others || `${owner}.*` in others;

describe('the contract', () => {
  it('marks every field with a name, an address or a code of a customer, for whoever calls', () => {
    const unmarked = contract.calls.flatMap((each) =>
      contract
        .answersOf(each)
        .filter((field) => contract.isText(field.schema) && !kindOf(field) && !isOther(field))
        .filter(({ name }) => kindNames.some((kind) => NAMED[kind].test(name)))
        .map(({ owner, name }) => `${each.operationId}: ${owner}.${name}`),
    );
    expect(unmarked).toEqual([]);
    const used = contract.calls
      .flatMap((each) => contract.answersOf(each))
      .flatMap(({ owner, name }) => [`${owner}.*`, `${owner}.${name}`]);
    expect(Object.keys(others).filter((each) => !used.includes(each))).toEqual([]);
  });

  it('lets such a field be null wherever a token of the call may lack its scope', () => {
    const wrong = contract.calls.flatMap((each) => {
      const access = each['x-access'];
      return contract.answersOf(each).flatMap((field) => {
        const kind = kindOf(field);
        if (!kind || takesNull(field)) return [];
        const lacks = rolesOf(access).some((role) =>
          scopesOf(access).some((scope) => !mayReveal(access, role, kind, scope)),
        );
        // the stream filters by the message, and a code comes only with the scope that reads it
        return lacks && !(each.operationId === 'streamEvents' && kind === 'codes')
          ? [`${each.operationId}: ${field.owner}.${field.name}`]
          : [];
      });
    });
    expect(wrong).toEqual([]);
  });
});
