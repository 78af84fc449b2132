import type { Noun } from '#define/command.ts';
import { salesChoices } from './choices.ts';
import { salesCustomers } from './customers.ts';
import { salesDashboard } from './dashboard.ts';
import { salesGraph } from './graph.ts';
import { salesHistory } from './history.ts';
import { salesSummary } from './summary.ts';
import { salesTransactions } from './transactions.ts';

export const sales: Noun = {
  name: 'sales',
  about: 'A reseller’s commission, transactions and customers',
  commands: [salesDashboard, salesSummary, salesHistory, salesGraph, salesTransactions, salesChoices, salesCustomers],
};
