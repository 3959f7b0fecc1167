// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package pricing // import "github.com/weirhq/weir/internal/pricing"

import (
	"encoding/json"
	"strings"
)

// What the format of a chat costs beyond the texts in it, as published by OpenAI.
const (
	tokensPerMessage = 3
	tokensPerName    = 1
	tokensPerReply   = 3

	// This one model had a longer frame, in which a name took the place of the role.
	oldFrameModel       = "gpt-3.5-turbo-0301"
	oldTokensPerMessage = 4
	oldTokensPerName    = -1
)

// Count is the number of tokens of a text, which may be the JSON text of a list of messages with role and content: then
// the frame of a chat is counted too. ok is false where it is not known how to count.
//
// That is so for claude: the tokenizer that Anthropic once published is that of its models before 2024 and counts later
// ones wrong, and of the later ones none is public.
func (m *Model) Count(text string) (count int, ok bool) {
	if m.encoding == nil {
		return 0, false
	}
	if messages := chatMessages(text); messages != nil {
		return m.countChat(messages)
	}
	count, err := m.encoding.Count(text)
	return count, err == nil
}

func (m *Model) countChat(messages []map[string]json.RawMessage) (count int, ok bool) {
	perMessage, perName := tokensPerMessage, tokensPerName
	if m.name == oldFrameModel {
		perMessage, perName = oldTokensPerMessage, oldTokensPerName
	}
	count = tokensPerReply
	for _, message := range messages {
		count += perMessage
		for key, value := range message {
			text, isText := jsonString(value)
			switch {
			case !isText && string(value) == "null":
				continue
			case !isText:
				// Tool calls and the like: how they are put to the model is not public, their JSON comes near.
				text = string(value)
			}
			n, err := m.encoding.Count(text)
			if err != nil {
				return 0, false
			}
			count += n
			if key == "name" {
				count += perName
			}
		}
	}
	return count, true
}

// chatMessages reads a list of messages, each with role and content as text; nil when the text is anything else.
func chatMessages(text string) []map[string]json.RawMessage {
	if !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "[") {
		return nil
	}
	var messages []map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &messages); err != nil || len(messages) == 0 {
		return nil
	}
	for _, message := range messages {
		for _, key := range []string{"role", "content"} {
			if _, ok := jsonString(message[key]); !ok {
				return nil
			}
		}
	}
	return messages
}

func jsonString(value json.RawMessage) (text string, ok bool) {
	if len(value) == 0 || value[0] != '"' {
		return "", false
	}
	err := json.Unmarshal(value, &text)
	return text, err == nil
}
