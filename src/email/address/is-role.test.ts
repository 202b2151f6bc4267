import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadDomainLists } from '../lists/domain-lists.ts';
import { isRole } from './is-role.ts';

const { roles } = loadDomainLists();

const ROLES = {
  'listed names, in any case': ['info', 'Postmaster', 'no-reply', 'customerservice', 'CUSTOMER-SERVICE'],
  'names with other separators': [
    'no_reply',
    'do_not_reply',
    'customer_service',
    'customer.service',
    'tech_support',
    'human_resources',
    'data_protection',
    'vie_privee',
    'recursos_humanos',
  ],
  'several roles': ['sales_support', 'info.sales', 'hr-it', 'marketing_team'],
  'other languages': [
    'kundenservice',
    'rechnung',
    'accueil',
    'facturation',
    'ventes',
    'ayuda',
    'atencionalcliente',
    'pedidos',
    'suporte',
    'assistenza',
    'ufficio',
    'klantenservice',
    'biuro',
    'zamowienia',
    'objednavky',
    'kundtjanst',
    'asiakaspalvelu',
    'ugyfelszolgalat',
    'vanzari',
    'iletisim',
    'zakaz',
    'layanan',
    'otoiawase',
    'kefu',
    'tuyendung',
  ],
};
const PEOPLE = [
  'ann',
  'ann.smith',
  'ann_smith',
  'a.r',
  'a_p',
  'c.e.o',
  'h.r',
  'sales.smith',
  '_info',
  'info_',
  'in_fo',
  '_',
  '',
  'infox',
];

describe('a role', () => {
  for (const [says, names] of Object.entries(ROLES))
    it(`includes ${says}`, () => {
      assert.deepEqual(
        names.filter((name) => !isRole(name, roles)),
        [],
      );
    });

  it('is not a person', () => {
    assert.deepEqual(
      PEOPLE.filter((name) => isRole(name, roles)),
      [],
    );
  });
});
