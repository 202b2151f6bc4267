/** The data of the account: its download, and how long each kind is kept. */
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { parseError, send } from '../../api/request.ts';
import { retentionQuery } from '../../api/sign-in-queries.ts';
import { Fact, Facts } from '../../components/facts.tsx';
import { formatCount } from '../../components/format.ts';
import { Icon } from '../../components/icon.tsx';
import { getErrorMessage, QueryState, RowsLoading } from '../../components/page-states.tsx';
import classes from './data-section.module.css';
import { Item, Items, SettingsSection } from './settings-section.tsx';

const DAYS_PER_MONTH = 365.25 / 12;

/** Shows the button that downloads all data, and the periods. */
export function DataSection() {
  const retention = useQuery(retentionQuery);
  return (
    <SettingsSection title="Your data" description="Older data is deleted. The rest ends with the account.">
      <Items>
        <Item
          icon="download"
          name="All data of this account"
          note="One JSON file: keys without secrets, sessions, audit trail, usage, request log."
        >
          <DownloadButton />
        </Item>
      </Items>
      <QueryState query={retention}>
        <RowsLoading rows={2} />
      </QueryState>
      {retention.data && (
        <div className={classes.periods}>
          <Facts>
            <Fact label="Request log">{formatCount(retention.data.requests_days, 'day')}</Fact>
            <Fact label="Usage">
              {formatCount(retention.data.usage_minutes_days, 'day')} by minute,{' '}
              {formatCount(retention.data.usage_days, 'day')} by hour and day,{' '}
              {formatCount(Math.round(retention.data.usage_months_days / DAYS_PER_MONTH), 'month')} by month
            </Fact>
            <Fact label="Audit trail">{formatCount(retention.data.audit_days, 'day')}</Fact>
          </Facts>
        </div>
      )}
    </SettingsSection>
  );
}

function DownloadButton() {
  const downloading = useMutation({
    mutationFn: async () => {
      const response = await send('GET', '/account/export');
      if (!response.ok) throw await parseError(response);
      const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
      saveFile(name ?? 'account-data.json', await response.blob());
    },
    onError: (error) =>
      notifications.show({ color: 'red', title: 'Could not download', message: getErrorMessage(error) }),
  });
  return (
    <Button
      variant="default"
      leftSection={<Icon name="download" size={16} />}
      loading={downloading.isPending}
      onClick={() => downloading.mutate()}
    >
      Download your data
    </Button>
  );
}

function saveFile(fileName: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
